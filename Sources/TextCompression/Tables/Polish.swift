extension LanguageModel {
    static let polish = LanguageModel(
        #"""
        	k paninenonznnmsmcmtlwlrlmlyldlklplłljluklkękbk⇧k"jgj.jżjąjśihi,i␃ióići!f?f0f„b⇪a
         	pponosowntnmnzncndnjn⇧mbmkm"lglżk—jfh2g1g:e5d4d3d9d+d7d
        !	k p"o␃n
        "	p⇧p o␃npl„h
        ,	a p
        .	h"p n␃m.l1g
        0	p␃n0n9l7l8l3l1k2k5k6k4k
        1	p0p2o5n1n9m6m7m4m3m8m
        2	p0p2l4l1l3l6l9l8l
        ?	k p"p␃n
        a	n płnnnkmmmrmlmsmcmwljldltlćk.k,jńgffźe
        b	oypioanrnomęlul
        c	pzphoio
        d	pzpooanymnmrllkźj
        e	o pmmsmjlglrldlnlkklkśj.j,ińgźffd
        g	oopłmdlrllkój
        h	p pooancnwl
        i	pepęmamłkąićiśh
        j	nep oaoąmulęk
        k	pooioaoumtlrląj
        l	pepipaokmum
        m	m pioanonymumnlók,j.j
        n	oipaoyląj
        o	o pwmdmbmnlslrkkkśktkgkżkljńhff
        p	noproanimój
        r	pzpaoooylókuk
        s	ozptpioplklłl
        t	papopeoynrnumkmwmól
        u	p psncmdmjmżmmlrl.lgk,jfg
        w	pioanymomsl
        y	o płmmmsmcmlkśk.kćj,j
        z	penynaninujęjąi
        ó	pwprojnżmblźj
        ą	n pcndmłl.kgkćj
        ć	k p.k,j
        ę	m pdlckkk,j.j
        ł	nap popeoynum
        ś	n pcoloćnmnwm
        ż	oep nyn
        —	c p
        ␃	p"p⇧o—l
         "	p⇧pnkwk
         a	plobk
         b	pypęmel
         c	phnonói
         d	oopllrlwkuj
         i	m pnk
         j	mepao
         k	pootnrm
         m	pipopapnnón
         n	hipaook
         o	pdnnlclklpk
         p	ooprpej
         r	pooęl
         s	pippmakokwkąj
         t	pooenyn
         w	p oynsmłj
         z	oap onmdkrkwk
         ż	nep
        " 	p"o⇧n—l2j
        , 	pżlak
        . 	p"o⇧n
        ."	a p␃o
        ak	p p
        al	pepnl
        an	p lok
        ar	pdltl
        aw	pdm
        az	p o
        be	pzp
        by	płoćl
        bę	kdp
        ci	p ląk
        co	m pśm
        cz	pyoeonl
        dl	lap
        do	p pbnmm
        dz	mip
        e 	pmlwlojriui
        ed	pnmymłl
        eg	mop
        ej	m psl,j.jśi
        em	n p,k.k
        en	nip ntl
        er	pwl
        es	mtpzo
        ew	pnn
        ez	p p
        gd	nyp
        go	n p.i,i
        hc	pepęo
        ho	pdp
        ia	pło
        ie	p pckwibićh
        in	pnm
        ię	n ptj
        ja	okp
        je	pspdm
        ju	ożp
        ki	p nmk
        kt	póp
        le	p pplclżl
        li	p pśmcmwm
        lu	pdobo
        mi	p namlj
        mo	pżpgojncm
        my	m pśn
        na	p pjlpj
        ni	nepcjki
        no	pwnśncl,k
        ob	piproąk
        og	pęmil
        ow	pipap
        pa	pnpdm
        pe	owpło
        po	pwodntmmmklzlcl
        pr	ozp
        ra	pznwncmżi
        ro	pznbnsmck
        rz	nepyo
        sa	pmp
        si	nęp
        so	obp
        st	pap ornkm
        sz	p nyncmęlkk
        ta	pkn
        te	pmorngnśmżk
        to	n p
        ty	plnmn
        tó	mrp
        wa	płnćlżk
        wi	pepdllk
        wo	pjmlm
        ws	nzp
        yc	php
        yl	pkp
        ym	o p
        za	pslpkbj
        ze	pclglnlkkzkbkpj
        zy	psmnkjkwjkj
        ów	p o.l
        ąc	p peoyn
        ła	o pmmślbj
        łe	mmpśl
        śc	aip
        śm	eypip
        że	m pbk
        — 	p⇧o
        ␃"	p⇧pwk
         ba	orp
         ch	pcpwn
         ni	lepmigh
         od	p opn
         si	kęp
         ta	mkpmm
         wy	pglpljlrldlbl
        ani	pan n
        eni	paouk
        est	m peo
        ied	ozp
        jes	mtp
        nie	n p.i
        pie	pro
        pra	nwp
        się	k p
        szc	kzp
        wie	pdnklll
        wię	ocp
        wsz	kypen
        yst	okp
        """#)
}
