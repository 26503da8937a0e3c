extension LanguageModel {
    static let indonesian = LanguageModel(
        #"""
        	kap pnninenkmumtmmmrmsldlglllblplhkyk⇧koj.jji␃ich⇪a
         	psomokndntnbn⇧npmykhkjkciwh2g1gff:e5e0e4d+d9d
        !	h p␃o
        ,	d p
        .	i p␃o.l1g
        0	p0o␃n9k3k7k8k1k6k5k2k
        1	p0o1n2n5m9m7m8m6m4l3l
        2	p0p2m1l3l4l6l9l5l
        ?	g p␃o
        a	nnp pknrmhmtmlmmmylpldlslwh?g,f-fff!e
        b	jepapuninok
        c	lapioenumol
        d	japioeluk
        e	prpnpmnlnblplslciwgvf
        g	n papingmul-g,f
        h	n paoul.jwh,h?f
        i	o pnotmkmdmslllhk.j?g,f!f-f
        j	mapum
        k	nap nunenoj-f,e
        l	mapimumeloj
        m	oepapunbmpl
        n	ogp pymtldljj.jci,g?f-f!e
        o	pronolomoknbmhl
        p	mapeoumiloj
        r	paninumgkjj-e,e
        s	oapeoinum
        t	oapiouoeoom,f
        u	p pnnkmslllhk.j?g,f!f-e
        w	lap
        y	lap
        ␃	p⇧psndl
         a	pkpdnpn
         b	peo
         d	oipenoh
         h	mapiloj
         i	lnptobj
         j	pemil
         k	lapepilok
         m	nepijoh
         n	napenol
         p	peprj
         r	pup
         s	oepap
         t	pipepom
         u	onp
        . 	p⇧o2i1i:h
        a 	pbltlpkakijli
        aa	gnptnfm
        ad	nap
        ag	pip
        ah	n pumkj
        ai	pknml
        ak	p puoil
        al	p l
        am	puo oimpm
        an	p oak
        ap	map l
        ar	pipao o
        as	pin n.k
        at	p pkj.i
        au	l p
        ba	phmgmimwjci
        be	nrplmgj
        bi	osplnhncm
        bu	pkpaotnrm
        ca	pro
        da	p okolmrm
        de	nnpkk
        di	o paorl
        du	panpnrn
        em	pbpunpnim
        en	ogpaodmcluljl
        er	ptmgleljlllblskhjci
        ga	pnptnlmil
        gg	puorl
        gk	pio
        ha	protnsm
        i 	psmklikli
        ia	o ppm
        id	kapul
        ik	pim.i
        il	p m
        in	pin
        ir	oip p
        is	p m.j
        it	oup l
        ja	plmdmrm
        ka	pnpmmul
        ke	p mtkcj
        ki	ptprm
        ku	o p
        la	phomnukikjkgj
        le	pbohn
        li	phm
        ma	prltlslhluj
        me	nnpmn
        mu	p prl
        n 	pijli
        ng	p pkk.i?f
        ni	o p.k
        nn	jyp
        nt	pup
        om	n p
        or	oap
        pa	p pkotndn
        pe	orp
        pu	pnplotm
        ra	pnoplsl
        re	onpko
        rg	nip
        ri	p pml
        rn	lapyo
        ru	psomn
        sa	pyojj
        se	pkmbmpmdltlokhj
        si	pamhl
        su	pdoko
        ta	phmkmskpk
        te	nrplnmntk
        ti	pdp
        to	pmp
        tu	o pkn
        ua	ptmrm
        uk	p n
        un	ptm
        up	p o
        us	p p
        ya	o p.j␃h
        ␃a	oppkp
        ␃t	oop
         ak	iupao
         an	ndpam
         da	onprotmpm
         ha	orplm
         in	nip
         it	fup
         ka	ompuornlm
         la	pgnknln
         me	pmnll
         sa	oyp
         se	pmllljh
         ti	ldpgj
         un	jtp
         ya	lnp
        ada	m pln
        aka	mnphm
        aku	j pkl
        ang	n p
        apa	p p
        asa	p p
        ata	pnoul
        aya	m p
        bah	mapwn
        bis	kap
        dak	k p
        dal	gap
        den	igp
        dia	l p
        eka	o proln
        elu	napmp
        emu	pap
        eng	napelhk
        eny	pepun
        gan	m p
        har	puo
        ida	gkp
        iha	ltp
        ing	pgoio
        isa	m p
        ita	n p
        jad	hip
        kam	lupin
        kan	m p
        kar	pep
        ker	ojp
        kit	nap
        lal	gup
        mak	lapsl
        man	pao
        men	pylekij
        mer	pep
        mpa	otpio
        nga	onp
        ngi	nnp
        ntu	nkp
        ora	fnp
        per	pgotnnm
        ran	ngp
        tah	lup
        tap	mip
        tuk	k p
        uda	mhp
        uma	mhp
        yan	igp
        ␃sa	jyp
        """#)
}
