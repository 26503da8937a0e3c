extension LanguageModel {
    static let spanish = LanguageModel(
        #"""
        	j peoaoonsnnmrmimlmdmtmulclmlpkbjvjhjqjgj⇧iyi␃i.iíh,hfháhjhóhéhzg?f¿f!f0f⇪a
         	pdmlmpmcmmltlqlnlhkvk⇧kyjbjfi¿g¡g2f1f:dúc5b4b9b3b+b7b6b8bwb
        !	k p␃n
        ,	a p
        .	j p␃n.m1h
        0	p␃n0n7l3l9l1k6k5k8k2k4k
        1	p0p2o5n1n7m9m3m4m8m6m
        2	p0p2m4l9l3l7l1l8l6l5l
        4	p5l8j
        :	p␃m-l(l)l3k4k1k
        ?	f p␃o
        a	m prnsnnmlmdmblmlckyi.i,ijhñhzg:c
        b	napioeorolnuníl
        c	popaoiounhm
        d	mepooanimíi
        e	n psonornlmckgjjizhxgñg
        f	piouoaorm
        g	oupapoproúj
        h	kaponemiluk
        i	pennmdmclrlókmkvkgkziéhjhñh
        j	lopapeoun
        l	nap oooenlmimgj
        m	jepopapiounpnámbmíjúh
        n	p pootndmclgj
        o	n psnrmnmmk,i.i␃iyi?g!f:c
        p	mapopeorounimúg
        q	aup
        r	panenomilíjájéh
        s	o ptmiluk.i,i␃iíh?g!f:c
        t	kepapoorninulákúi
        u	pepnnilékbiyiíi
        v	kipeoaooníj
        y	m pol
        z	paponól
        ¡	m p⇧l
        ¿	p p⇧m
        á	osp onn
        é	o pnmlm
        í	nap o
        ñ	lopao
        ó	nnp o
        ␃	p⇧nll¿lpk¡jyj
         a	plmckqjhjpigiuhúf
         b	punol
         c	oopanrkói
         d	lepiluhóg
         e	lsplonoxjmi
         g	proen
         i	onpmm
         l	napoouj
         m	pepiouoám
         n	kopaliluk
         o	ptmckjkbkhk
         r	oep
         s	jepiounonaníkóiéi
         u	inpsk
         v	penui
        ! 	p¡m⇧m
        . 	p⇧m¿j¡j
        a 	pekmksj
        ac	oipeotl
        ad	nopao mrk
        al	p ogmtkmj
        am	poobm
        an	ptndnalzi
        ar	p ntk
        as	n pak
        ba	pjl
        be	probn
        bi	pepém
        ci	panónon
        co	pnpmo
        cu	paolmrlák
        da	p pdo
        de	o pbimiji
        di	pcmomsmjkfj
        do	o p␃j?j
        e 	pllelalskhkuj
        ec	peohntmíj
        el	m pll
        em	poppo
        en	p ptpemgkíi
        er	p nontldlrkmj
        es	ptnpkojcj
        fa	pvn
        gr	oap
        gu	paoinsnrm
        ha	pcnbnymgj
        ho	prnll
        hu	pbp
        id	mopao
        ie	nnproml
        in	pamclfj
        ir	p n
        is	ptomlck
        la	n psm
        le	pgkvkmj
        lo	n pso
        ma	pnmtj
        me	n pnojldk
        mi	p nsmgl
        mo	psp
        mu	pyocojl
        n 	pemllskuj
        na	o pdn
        nc	pipen
        nd	poprk
        no	n pcj
        nt	pepoo
        o 	pemdlslqlhkui
        ol	pvl
        or	p ptlmlqk
        os	m poj
        ot	prp
        pa	prptk
        pe	prp
        po	orpdlcl
        pr	lepooin
        qu	aepimélíi
        ra	p ocktjzi
        re	psncmmkpivifh
        ro	pbipi
        rs	nepoo
        s 	pdlekaksjui
        se	o pglñk
        si	p ntl
        so	pnmlmtmbk
        st	paoám
        su	p psopm
        te	p pdkmj.j,i
        ti	pen
        to	pdmyj
        tr	oapoo
        tu	p ornvm
        ua	pnplo
        uc	ohp
        ue	o pdlvi
        ui	oepél
        un	o pao
        us	pto
        ve	prozl
        vi	pvodosm
        ás	l p
        ía	o p
        ón	n p
         co	nnpmolj
         de	n pllcj
         en	n pcl
         er	oap
         es	ptpol
         la	j psm
         ni	o pñp
         sa	obplp
         te	pno
         ti	nep
         to	odp
         vo	plpyp
        aqu	oíp
        ara	n p
        bue	knp
        con	n ptnsmfk
        dad	o p␃k
        ero	n p
        hac	mep
        hor	lap
        ien	pendm
        men	ntp
        omo	k p
        par	naptn
        por	n p
        pue	odp
        que	l p
        ten	peogním
        tod	mop
        una	k p
        """#)
}
