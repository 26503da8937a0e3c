extension LanguageModel {
    static let hindi = LanguageModel(
        #"""
        	l pाnेmकmरmहlीlमlनlंlसl्lिlतkलkोkपkयkैkबjदjुjजjगjवjटiचiएiडi␃iशhअhूhआh।h़hखhभhफhउgथgइg,gँgईg:f.f-e0e'e⇧c⇪a
         	nकpहoमoसnपnबmनmजmलlदlअlवlआlतlगkचkउkभkएk।kखjइjशjथjफjऔjछhघh'hधg2gठg⇧g1gऐfओfझfऑe5d+d
        !	g p␃o
        ,	a p
        .	p.p␃m1k
        0	p0n␃n7l3l9l1l5l8l2k4k6k
        1	p0o2n5n1n7m9m8m6l3l
        2	p0p2m1l3l9l6l4l8l
        :	m p)i
        ?	i p␃o
        ँ	l pगl।kचk
        ं	n pगlदkडjटiधh?d
        अ	pपoबmचmंmभlगlधk
        आ	pपoतlजlदkईkएkओi
        इ	pसpंnनm
        ई	n p
        उ	oसpनmठj
        ए	o pकoगl
        औ	eरp
        क	pेoाoरnीn्nोnिnुkॉhौgृg
        ख	pाnिlुlोlतl
        ग	pाoेmीm्lयlोkतkुkईjढg
        च	pाo्nलmुmीlिlौh
        ज	pाn़lीk
        झ	oेp
        ट	p n्mीmॉg
        ठ	pीo
        ड	p़pिlॉi
        ढ	m़p
        त	pाoुmेm्mीmिlोk
        थ	pाoीm
        द	pेnिnीmोl्lूkुjौh
        न	pेoाnहmीlिkौg
        प	pरoाm्mनmीlहlतlुkूkढi
        फ	pिm़m्l
        ब	pाnहkीkनkोjचjढhॉh
        भ	oीpाpूl
        म	pेoाmैmुl्lिkौhझg
        य	oाpहmोlूj
        र	n pाmेm्mीmहlिlोkतkूjणh
        ल	pाnिnेnीm्lोlगkौgॉf
        व	pाoिnहn
        श	pाn्mिlुk
        ष	p्oणl
        स	pेn्mाmकlीkुj
        ह	pैpीnाnोmुlमlूk
        ़	pाmीm
        ा	o pरmनmलkतjयjदjँjजjईiथi।iइhओh,h?gषg-fधfणe!d
        ि	pयoलnएnकmतmसlनlशkवkखjधhषg
        ी	n pंl,gछe
        ु	pमoझnरmलmतmनmछlआkशkईjषiणh
        ू	pँnरnलkटkछi
        े	n pंmशiटhखh?c
        ै	oंp p।l?iठh!h
        ो	o pंnगlलkडkटjईjधgषf?f
        ्	pरpयpतnटnमmहmवmलmषl‍lदkचkछkथkधiणh
        ।	c p␃m
        ␃	pमmउkवkतkअkआj
         ए	mकp
         क	pेoीnरnोmहkैiभg
         ग	pयnिkएk
         छ	pोo
         ज	pाpोkबk
         त	oुpोnरmैk
         द	pिoेoोn
         न	pहoिl
         प	pरpाn्nहmैkडj
         म	oेpैnुmिlहkोj
         य	oहpेm
         र	pहpाoखk
         ल	pिpगnडl
         व	pहoिoेm
         स	pेoमlुkिkंkबkोjौf
         ह	nैpोmमlूk
        ंग	pेo o्n
        अप	lनp
        आप	k pकm
        इस	o p
        उस	pकpनn
        एक	l p
        और	i p
        कर	pनmतl
        कह	oाp
        का	m pरnमlंk
        कि	p pयpसn
        की	j p
        कु	oछp
        के	l p
        को	m pईlशi
        क्	oयpषnसl
        चा	pहp
        च्	jछpचo
        जा	pनoएmतmओl
        ट्	nरpठk
        ता	o pबj
        ति	p p
        तु	jमp
        दे	pखpशoनm
        नह	fीp
        ना	o pवk
        ने	k p
        पर	m p
        पह	nलpुo
        प्	nरp
        फि	pरp
        बह	nुp
        बा	pरpदoतoहn
        भा	pरpगm
        मह	pिo
        मा	pरoनnंlफk
        मि	oलp
        मु	oझpखk
        मे	kंpरm
        मै	kंp
        म्	nहpमm
        यह	j pाn
        या	n p?j␃i
        यो	oंp
        रह	pेpाp o
        रा	pजlमkषj
        र्	pटmमlजkडkफj
        लि	oएp
        ले	pकlगj-j
        वह	m p
        वा	pलnदlसlपk
        सक	pतp
        सम	pयnझn
        सा	pथm
        से	k p
        स्	pतpटoकnथmपm
        हम	p pलm
        हा	pँnरnंk
        ही	nंp
        हु	mतpआoईnएmंmँl
        हू	mँp
        है	o p।l␃i
        हो	pगmतlनk
        ा 	pहlचiरi
        ाए	pगpंp
        ात	p o
        ाथ	l p
        ाद	p pाn
        ान	p oतk
        ाम	p p
        ाल	p o
        ास	p p
        ाह	pतoिoरn
        िए	j p।i
        िक	p pाpलm
        िन	p p
        िय	lाpोm
        िल	pाp्o o
        ीं	k p
        ुत	m p
        ुम	n p्o
        े 	pपlसlबkलkदjरi
        ें	m p
        ेर	pेpीo
        ैं	l pनj।j
        ों	l p
        ्ह	mेpाo
         क्	mयp
        के 	pलmबm
        ता 	pहp
        ते 	oहp
        नही	dंp
        ने 	pकn
        में	h p
        रहा	j p
        िल्	mलpमo
        ों 	pकp
        ्रे	pसoजm
        """#)
}
