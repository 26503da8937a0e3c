extension LanguageModel {
    static let greek = LanguageModel(
        #"""
        	j pαoοnεnτnιnνmσmρlπlκlμlυlλlςlάlηkίkέkόkγjδj⇧jωjχjθjύjήj␃iφiβiώi.iξh,hζh!f;f0f⇪a
         	pτoπnκmμmσm⇧lδlέkγkβkθjφjχjξi2f1fψe:d5d+c4c3b9b8b7b6b
        !	f p␃o
        '	j p
        ,	g p
        .	j p␃o.l1i
        0	p0n␃n1l7l3l9l8l2k6k5k4k
        1	p0p2n5n1n7n9m8m4m6m3l
        2	p0p2m1l3l9l4l7l6l5l8k
        ;	f p␃o)j
        ά	p pνoλnτnρnσmμmθlζlδkγkξk
        έ	pνpρoλnχnσmπmφlβkξkψj
        ή	p pσoτnρmθmγmκm
        ί	pνnσlπlδkχkζjθj
        α	o pιnνmσlπlρkςkλkγjφiξi,hζh!gψc
        β	pαpρmγl
        γ	pιoεmάlρkκkώkύj
        δ	oεpιnώlηkωkίk
        ε	o pιoίnνmρlςlξiψf
        ζ	pεpοnωmίm
        η	n pνnσnςmκmμlγj
        θ	pαpεoηoέm
        ι	o pαmςlάlσlκkλk,h
        κ	nαpοnάmεmρlόl
        λ	pοpιoεoάnλnόnηmέmύlήkωk
        μ	oαpεpοoέoπnάmηlόl'h
        ν	n pαpοmτmεmηkωj'f
        ξ	pεpέnωk
        ο	pυp pύmνmςlρkψe
        π	oοpαnεnρnόmάmλlωkήk
        ρ	pαpιoοoεoίnάnόnωmώmέmηmχl-g
        ς	b p.i,i␃i;h!g
        σ	pτpεoοnιnηlκlωlυl'g
        τ	lοpαoηnιmεmρlόlάlίjέjήjώi'f
        υ	m pνmτmλmςlρlμlπkχjγj.j␃j,jψf
        φ	pοmέlωlώlάkθkύk
        χ	pεpαoιnοnωnρmέlώl
        ψ	pεp
        ω	o pςnνmρmσlμl,j
        ό	n pπnτnνnςmλmσmμmρlχl
        ύ	pσmρmλlμkγj
        ώ	o pνpρoτoσoςn
        ␃	p⇧oκmπlμlδk
         έ	pχnκlτk
         ή	pτpξl
         α	oπpυoνoκmλmρmφlδk
         γ	pιpυlίk
         δ	oεpοlυlρjύj
         ε	nίpπkκkδkσkγkξjυj
         η	k p
         θ	mαpέmυk
         κ	nαpάmιkλiυi
         μ	pεnοnιl
         ν	mαp
         ο	n pιm
         π	pαmρmιkέiίiώh
         σ	pτpαmυmκlπk
         τ	oοpηmζgωg
         υ	jπp
         ό	pτoλoχo
        , 	pεlαl
        . 	p⇧n
        άλ	pλpιp
        άν	pεoωnθm
        άρ	pιoχn
        άτ	pιpωm
        έν	oαpοn
        έτ	pσoρo
        ήτ	lαp
        ίν	nαpεm
        ίπ	nεp
        ίσ	pωnαn
        αι	l pδi
        αν	o pέkάk
        απ	pόpέk
        αρ	pάmχmδkγj
        ασ	pιpμlίk
        ατ	pίmάlέl
        αυ	kτp
        βα	nσp
        γι	nαp
        δε	oνpλk
        δι	pαpάoκo
        ε 	pτoσmμmοlνkηj
        εί	pνpπnχmςlμl
        ει	o pςoρl
        εν	o p
        εσ	pύnαn
        ηκ	nεpώl
        ην	l p
        ησ	nεpηm
        θέ	nλp
        θα	l p
        θη	nκp
        ιά	p pςn,k.k
        ια	n pτl.i
        ικ	pάoόnήm
        ιλ	oόpιp
        ιο	p pςo
        ισ	pεnμm
        κα	nιpλlτlκjθj
        κε	p pφmλl
        κο	pύmλlμlιlίl
        λι	pάo
        λο	pιlγk.j
        λό	oπpγm
        μέ	mνpσm
        μα	pτmςlζk
        με	n pγj
        μι	pαp
        μο	oυpιl
        ν 	pκlαlεkέk
        να	n pιn
        νο	pςmύmιlμl
        ντ	pαpάm
        ξέ	mρp
        ο 	p⇧mβlκl
        οι	pοmπlρkμk
        ολ	pύn
        ον	m pτn
        ου	p pςl!g;g
        πα	pρoτmλm
        πε	pρm
        πο	oυpτmλmρmιmκl
        πρ	pοoόnέn
        πω	mςp
        πό	o p
        ρι	pσmοl
        ρο	pύnσmςmφkϊi-i
        ρω	pτnπm
        σα	pνnςm
        σε	m pιn.j
        σι	oλp
        σμ	oέp
        σο	nυp
        σπ	pίoιn
        τα	o pνnςl
        τε	o pρnλl
        τη	pνoςn
        τι	o pςmκm
        το	m pυoνm
        υτ	oόpήm
        φο	pρpβn
        χα	pρoμm
        όπ	mοp
        ότ	pιpεp
        ύλ	oαp
        ύρ	oιp
        ώρ	nαp
         αλ	nλp
         κά	mνpτoθnπn
         μο	kυp
         να	k p
         στ	pοpηn
         τα	k p
         το	pυoνm
        ήτα	eνp
        ίνα	iιp
        αλλ	nάp
        απο	oκp
        βασ	lιp
        δεν	d p
        κι 	oέpεo
        μέν	oοpηm
        μπο	mρp
        ντα	pςp
        ο β	kαp
        ουλ	oοp
        που	k pλo
        τον	i p
        του	l pςn␃k
        όπο	lυp
        """#)
}
