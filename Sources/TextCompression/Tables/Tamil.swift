extension LanguageModel {
    static let tamil = LanguageModel(
        #"""
        	l்p oுnகnதnிnனmமmாmபmரmலlடlவlைlநlறlயlளkசkேkணjஅjஇjெjஎj␃jோjஙiழiொiீiஉi!h.hூg-g0f,f1f2f⇧a⇪a
         	nபpகpநpவpதoஅoமoஇoசoஎoஉnஒmஆl-lஏk2jஓi1i"hஜh:hஊhஐh5gmgஹg+gcfஈf3f9fsf4f7f8fffgf
        !	j p␃n"h
        ,	i p
        -	h p)i
        .	k p␃n.l1j
        0	o p0o␃o1m7l8l9l3l5l6l
        1	p0o2n1n5n7m9m8m6l4l3l
        2	p0p3l4l5k9k7k6k8k
        4	p5m0l7k
        :	p(l)l4ldk3k
        ;	i p␃m)j
        ?	h p␃n"j
        அ	pவpதoனnறmநmடmழmஙlணlஞi
        இ	pரpலoனnநnதnஙm
        உ	pளoஙnனnணnயmடm
        எ	nனpஙkழj
        ஒ	nரpனl
        க	p்pுoளoிnாmொlைkேkணkூj
        ங	b்p
        ச	pெnிnுlொlாlூi
        ஞ	m்p
        ட	pுp்pிoைmாm
        ண	n்pிl
        த	pுp்oிnாmைlேkெkோjொjூh
        ந	o்pாoீnிm
        ன	n்pைk
        ப	p்pோnாnுnிnடmெmொlேlூi
        ம	n்pுlாlைkேiூh
        ய	p்oிnாnுmேk
        ர	o்pுpிnைl
        ற	pுp்pிoாnேmைm
        ல	o்pைmாlேj
        ள	n்pிlைl
        ழ	p்pிpுoைn
        வ	pிpரoாoேnுnைlெlளlீlழjஞh
        ஸ	k்p
        ா	pனoரnமmலmயmடlளlழjஙj?h
        ி	pலoயo nனnரnறnடmழlஷgஸfஞf
        ீ	pஙpரoடmணlழl
        ு	n pமoகnதmவlடkநkளjஙiழi.h?d
        ூ	pடnறmலl
        ெ	nயpனpரoலnறnளmடmணmஞk
        ே	o pனoணnரmலmடm!mசl?h
        ை	m pயoகmதmபlவk!i;f
        ொ	oலpடoரoணnழnளnனnஞk
        ோ	pலmதmகmடmமmரm?lழk
        ்	m pகnதnபlடlறlலkசj␃j!i.i,g;g?e"dஸc:c
        ␃	nகpதpபoவoசoமoஅoஇoநoஎnஉmஆm"lஒkஏk
         அ	pமjலiரi
         எ	pலjபiடiணh
         க	pாnொmடlணlூlேkலjோjீi
         ச	pெoொmரlேj
         த	pாmெmமlொlோlனlலkூjீj
         ந	mாpீoிnலlடlனkமkேkெj
         ப	pோnாmெmொlணjறjழi
         ம	pுpறnனmிmகmேlூlீlணkெkொj
         வ	pேnாmெlநkணi
        அவ	mரpனmளm
        இர	kுpணk
        என	k்pகk
        ஒர	hுp
        கள	m்pுk
        கா	pதmணk
        கி	pறoனn
        கு	pமnறkபjழj
        க்	mகp
        ங்	iகp
        சர	mிp
        செ	oயp
        ச்	pசp
        ஞ்	kசp
        டி	pயo oகnதmபl
        டு	pமoதmபk
        ட்	mடp
        ண்	mடpணmமk
        தம	pிp
        தி	pரnகk
        து	o pபjணi␃i
        த்	lதp
        நா	oனpடm
        நீ	nஙp m
        ந்	iதp
        னக	i்p
        னு	oமp
        ன்	n pறoனnமi
        பு	pரlறkலk
        ப்	nபp
        மி	pழpகo
        மு	pடoதoறnனm
        ம்	l pபk␃jமi,h
        யா	pதmகl l
        யி	mலpனnரn
        யு	mமp
        ய்	pயmவkநj
        ரி	oயp oதmகmநl
        ரு	pகnநmபj
        ர்	o pகoநkவk!k
        றி	p nவlநk
        றே	nனp
        ற்	oறp
        லா	pமo
        ல்	m pலoவk
        ள்	m pளm
        ழ்	pநmவm
        வா	pழmயm
        வி	pடmளk
        வே	pணpறl
        ாக	p p
        ான	l்p l
        ாய	n்p
        ார	n்p
        ி 	pயkலi
        ிக	o்p
        ித	o்p
        ிப	m்p
        ிய	pாn nுnைk
        ிற	pேmதmநkீj
        ில	n்pேk
        ுக	n்pிm
        ுத	o்pலm
        ுந	m்p
        ுப	n்p
        ும	l்p
        ெய	m்p
        ெர	oிp
        ை 	pயj
        ைக	n்p
        ைத	k்p
        ைப	l்p
        ைய	pிoுnைl
        ் 	pகmபmதmசl-j
        ்க	pளpுoிn m
        ்ட	pுpாmேjோj
        ்த	pிn mாmைlதk
        ்ன	p pைpுoாnிn?j
        ்ப	pுmடmதk
        ்ம	pைo
        ்ற	pுpாn mோj
        ்ல	oைpாn nிm
        ்ள	pதn m
        இல்	hலp
        உள்	hளp
        என்	nறpனpபl
        ஒரு	m p
        கள்	k p
        காத	pலo
        க் 	kகp
        க்க	oுpிn nைkமk
        ங்க	pளpேl
        ச் 	lசp
        ட்ட	pிn kதk
        த் 	kதp
        த்த	pிoுo
        ந்த	p oுoதl
        ப் 	kபp
        முட	lிp
        ர்க	lளp்o
        ர்த	m்p
        ான்	l p.j!j
        ாள்	p.m!m
        ில்	n p␃j
        ைக்	p o
        ்கு	o pமo
        ்று	o p
        """#)
}
