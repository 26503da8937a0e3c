extension LanguageModel {
    static let russian = LanguageModel(
        #"""
        	k pоoеoаnиnтnнnсmрmвmлmмlдlпlкlуlяlыkьkбkгkзkчk⇧jжjйjхiшiюi.i,iэiцh␃h⇪a
         	pпnнmсmвm⇧lмlдlкlбkэkчkзkгjхiфf2e—e1e–d:c«c0b5b
        ,	a p
        .	h p␃o.l1g
        0	p0m␃m7k1k8k3k
        2	p0o2l1k
        а	o pнnтnлnкnсnвmмmрmзmцkюkшkбkжkйj.jщhфg
        б	pыpоpеoлnуnрmяmщlъl
        в	pоoаnеnиmыmсl
        г	nоpаmрlлkдk
        д	pеpаoоoиnнnуm
        е	o pнoтnрnсnлmмmдmгlйlшjжjщiфfёf-e
        ж	lеpнnиnдmаm
        з	pаpнnвlдl
        и	p oтmяlмlлlзkхjчjйj.iюiцhщe!d
        й	m pсk.j
        к	pоpаoиmрlуl
        л	pиpьpеpаpоoяnюmуmжl
        м	o pеoоoиnыnаnуm,j
        н	pаpоpиpеpыnяlцjфiщf
        о	p oсmвmрmлmдmбmгmмlйlжkшi-hщfфe
        п	oоpрp
        р	oаpоpеpиoуmыkжj
        с	pтoяlкlлkпkьjёf
        т	pоpьoеnаnиnвmрmыl
        у	p oдnжmсmюlмlчlпlгkщjшj
        ф	pеoиnфl
        х	n pоo
        ц	mиpеn
        ч	oеpтpаnиnёh
        ш	pеpиoьoаn
        щ	mеpиoёj
        ы	o pхlйlлlмl.i
        ь	m pнmсlшj,iюi
        э	lтpфh
        ю	n pтmщlдl,jцj
        я	n p.i,iюhщg
        ␃	p⇧pмlпlэj
         б	pыpуn
         в	p oсnыn
         д	pоoлlрkвk
         е	pгpсpщnеn
         з	oаp
         и	o pзmсl
         м	pоpеpыpнo
         н	nаpеpуk
         о	pнoбoтnпkчk
         п	mоpрpеk
         р	mаpеo
         с	pоn mеmлlвl
         т	pаoеoыo
         х	mоp
         ч	oтp
         я	k pвl
        , 	pчmкl
        . 	p⇧o
        ав	pиoлn
        ае	jтpмnшm
        ак	p pтmжl
        ал	pьn m
        ан	pиpнmсlдk
        ас	p nсmнl
        ат	oьpеm
        бе	pзn
        бо	pлoтn
        бу	nдp
        бы	pлoтm
        ва	pтmнmеlжk
        ве	pрoтnкkчk
        ви	pтoдn
        вл	lяpеp
        во	pрlзkпjюi
        вс	nеpёl
        гд	mаp
        го	o pвm,i
        да	p oрm
        де	pлnрm
        ди	pнoтn
        дл	oяp
        до	pлnсmкk
        др	oуp
        еб	oяpеp
        ед	pсnиmлk
        ек	pтn
        ем	p pуnяl
        ен	oиpнnяlтlьlцk
        ер	pжlнlьkвjшi
        ес	oтpкnьmсl
        ет	o pсn
        же	pнp p
        жн	nоpыo
        зн	nаp
        ие	m p.j
        ии	l p.m
        ил	pиo n
        ит	pьpеp nсl
        ка	pкoзnжlяl
        ко	pнnгnмmтmйm
        ла	p oгlдl
        ле	pнoдm
        ли	p pшj
        ло	pвnжl
        ль	oнpкmшmтlзk
        лю	pдoбoчn
        ля	pеnюm
        ме	pнoжm
        ми	p oрn
        мо	pжnгm
        му	m p
        мы	m p
        на	p oшlчkдkяjпj
        не	p p
        ни	pяnеnкlюk
        нн	mоpыo
        но	o pсnгnвmйm,j
        ны	pхoеoмoйo
        об	pрlщlъkхk
        од	pнnиnдk
        ое	o pкl
        ол	pьoжnнl
        ом	p pуn
        он	p nфkнk
        ор	pуlыlгkмjяj
        ос	oтpуk
        от	p mкj
        пе	nрpчl
        по	pдnлnсmзkкkчjэj
        пр	pоpиo
        ра	pзnвmнmбl
        ре	pдnзkшkбj
        ро	pсmвmдmшlцj
        ру	pжnгnкm
        са	pмp
        св	mоpяm
        се	pгmбkхkкj
        со	pвnбm
        сп	pеnаm
        ст	pвoаoиnрnуk
        та	pкnвm
        тв	pоpеoуm
        те	pлoбmпk
        ти	p oвm
        то	o pрmмm
        тс	nяp
        ть	m p.h
        хо	oдpтoчn
        ци	pиpяnйn
        ча	pсo
        че	pсnмm
        чт	hоp
        ые	i p
        ьн	mоpыn
        ьс	oяp
        эт	mоp
        ют	l pсo
         ва	mжpмpшpсp
         из	p p-k
         ра	nзpбnсn
         та	lкp
         ты	i p
        дол	lжp
        ени	oяpеpиmйl
        зна	pчoеoюo
        мен	pяo
        ост	pиoьn
        пос	pлo
        пра	kвp
        пре	oдp
        при	pнmвm
        сто	pяm
        тел	oьp
        что	g pбl-j
        """#)
}
