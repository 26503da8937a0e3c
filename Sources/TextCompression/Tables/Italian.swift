extension LanguageModel {
    static let italian = LanguageModel(
        #"""
        	k peoaoioonnnrntmlmsmcmdlulplmlvkgj⇧jhjfjbj.izi␃iqh,h'hèg0f⇪b
         	psndncmpmlmml⇧lfkukvkqjgjbjhièi1f2fwdjd:c3c5c4b9b+bkb7b
        !	e p␃o
        '	p pao
        ,	e p
        .	i p␃o.l1g
        0	p0n␃n1l7l8k3k9k2k5k4k6k
        1	p0o9o2n1n5n8m6m4m7m3l
        2	p0p2l4l1l3l8k9k
        ?	f p␃o
        a	n pnmrmlmtmmkvkgjzj.i,h!f?dyc
        b	nepipboaornum
        c	oophoanincmulkf
        d	mipeoanon'iòf
        e	n prnnmslllvjgj.i,i!e?d
        f	oapiooofmum
        g	piplonnrngmum
        h	mepinanék
        i	o pnmomlmcltlmkvjgj.iziùh,hòf!eàe?d
        l	paoloeoioon'mìe
        m	lepapooiopnmlbl
        n	poo otoendmzkgjòe
        o	m pnnrmllslmkvj.jgi,i!fke?ewd
        p	kepooroaoinplul
        q	aup
        r	pepaoioontlàhòh
        s	ptpipepoosocnunpmìj
        t	jopepapiotornumàkwgòe
        u	pnoenantmomòh
        v	mepapiooo
        z	mipaoznòh
        à	k p.k
        è	g p
        ì	l p
        ò	k p
        ù	j p
        ␃	p⇧o
         a	plonnvmdlskpkckbkfi
         c	nophoanrk'i
         d	oipeouj
         e	o psmdj
         f	paprlel
         h	iapon
         i	onplp
         l	mapeo'nonul
         m	oapiooouj
         n	lopenuk
         o	prngmpmcmklhl
         r	pip
         s	pomumakée
         t	punrn
         u	mnp
         v	pinuk
        . 	p⇧o1i2i
        a 	pclpkajti
        ac	ncpenql
        ad	p nrm
        ag	pgoam
        ai	l puk
        al	plo ntmcmmk
        an	pdncmnl
        ap	ppo
        ar	peptmlldl
        as	psocn
        at	pooto
        av	pvkrk
        bi	plpaosm
        ca	pslpkmk
        ch	kepin
        ci	pamòi
        co	onpmosnlmpj
        de	plpilvltk
        di	o pskfi
        do	o pvmpktk
        e 	paklkiknj
        eb	mbp
        ei	i p
        el	mlp o
        en	otpdmzmsk
        er	p mckskmivi
        es	psptp
        et	otp
        fa	prptocn
        fi	pnpcpgn
        fo	prp
        gg	iipem
        gi	popanunàl
        gl	iip
        gn	lopioao
        gr	nap
        he	k p
        hi	panem
        i 	ppkakejtj
        ia	pmmcj
        ic	paoinem
        ie	pnntmdl
        il	o p
        in	p oamimclfj
        io	pno
        is	ptopl
        it	pàmyf
        l 	pcmpmmltk
        la	m psj
        le	o ptk
        li	pakzjbi
        ll	lapenon'n
        lo	o p
        lt	prn
        me	pnptl
        na	p p
        nd	poo
        ne	o pln
        no	n pno
        nt	pepin
        o 	pdmalikek
        oc	pcpen
        ol	pontn
        om	peppnul
        on	p oenil
        or	ptmnlmkskdj
        os	psotoaoìl
        ot	pto
        pa	prpsmdk
        pe	nrptk
        pi	pùnan
        po	psorntmil
        pr	oopep
        qu	gepaoim
        re	o pbjdi
        ri	pmlclskvk
        ro	pplvkbifi
        rs	oopip
        sc	pinem
        se	prnmlgk
        si	o pamgkskbj
        so	pnnlmfj
        ss	mepopipao
        st	paorm
        su	plnonbk
        te	p pmk
        ti	p pvl.k
        to	n p␃g
        tr	papop
        tt	popin
        tu	ptprm
        ua	plonn
        ue	osplp
        un	o pao'kqj
        uo	pimvltk
        ut	pto
        va	o pnn
        ve	prpnnvndm
        vi	psldk
        vo	plogl
        zi	nopal
        zz	napon
         be	onphm
         de	olpim
         di	m prjvj
         er	lap
         il	e p
         in	p pvj
         mo	plndm
         ne	plp
         no	mnpijtj
         ra	pgppn
         sa	propn
        are	m p
        ben	nep
        gli	o poo
        iam	mop
        ion	lepim
        men	ltp
        non	h p
        ome	m p
        one	k p.k
        per	o pcm
        por	ltp
        pre	pso
        rch	pép
        son	mop
        ues	etp
        una	i p
        zio	lnp
        """#)
}
