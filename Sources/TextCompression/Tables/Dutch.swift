extension LanguageModel {
    static let dutch = LanguageModel(
        #"""
        	j pepnnantninomrmdmslllglhlklmkjkvkukwkbj⇧jpjzjcj.j␃ifi0e⇪a
         	pdnhnimvmmmwmgmzlol⇧lbljlslklpj2f1f:d5céc+c4c9c3c7c8b
        !	e p␃o
        ,	a p
        .	h p␃o.l1g
        0	p␃n0n9l8l1l3l7l5l6k2k4k
        1	p0p2o5n1n9n7m8m6m4m3m
        2	p0p2m1l3l9l4l6l5l8l7k
        ?	f p␃o
        a	onpaptorolnsmglmkckfj
        b	nepimolrlllblukyf
        c	nhpol
        d	oepanilok,e!d?d
        e	pnp orntnlmbjfixdëbyb?b,b
        f	pto nfj
        g	oep nrk.i,e?e
        h	kepamtmimomuk
        i	ojpepnpsokngmllckëh
        j	oep onoknfj
        k	o peoamoméf
        l	peoioanlmdmomslukfjyf
        m	pepaoinon
        n	o pdlgk.jsj?g!e,d
        o	pooronnpmmmulllglvkfkcj'e
        p	p ormamllpk
        r	p pdmomimamslukye
        s	o ptoclpk.i,f?fyf
        t	o pen.i?e!d,dyb
        u	pinrmwmsllkuk
        v	nepaooo
        w	lepaoinom
        z	nepipon
        ␃	o⇧pdnhlzk
         a	plpflcluj
         b	oepal
         c	popam
         d	eepaoimolrjuj
         e	oeprmcjvjxh
         g	jepamrlol
         h	nepam
         i	mspkpnp
         j	bepalokikuk
         k	napoplnunrnimwl
         l	pao
         m	kepaoooio
         n	kipanonemul
         o	oppnomnvmfl
         p	proaoom
         r	pepoo
         s	otpcnpnlmol
         t	meponwlilrl
         u	oip o
         v	paoikrkli
         w	pao
         z	pomakuiwi
        . 	p⇧pdn1j2j:i
        ? 	p⇧o
        aa	orpnokl
        ad	p p
        ag	p p
        ak	ptnkl
        al	p ploso
        an	m pdmgltkkk
        ar	o ptl
        as	o psk
        at	m pik
        be	pllsldkgkuj
        bi	ojp
        ch	ptp mrj
        da	otp
        de	n prmzi
        di	oeptngn
        do	oepop
        e 	pvlbkskkktkajpjljrjchfh
        eb	p pbotm
        ed	p m
        ee	onprnflsj
        ef	ntp
        ei	pdntk
        el	p odmkj
        em	pao o
        en	m p.ktj␃h
        er	p pemsmklgklj.i
        et	m psi
        ga	oap n
        ge	plmvkbkwkskdjzjmjkj
        go	nep
        gr	oopao
        ha	papdopk
        he	ntpbnemmk
        hi	pjp
        ho	popepuo
        ie	ptp oukdkfk
        ij	n pnpkodmfl
        ik	l p
        in	pgndl
        is	n psj
        jd	p p
        je	k psj
        jn	l p
        ka	onp
        ke	pnp
        ko	pmo
        ld	p otm
        le	pelmkskvjgjuj
        li	pjo
        ll	nep
        ma	papkl
        me	ptnem
        mi	pjpdk
        mo	oep
        n 	pdl⇧jajtilh
        na	pap n
        nd	p n.i
        ng	p o
        ni	mep
        nn	lep
        no	pgo
        oe	ptndmklgk
        og	o p
        om	p pml
        on	pdosmtmzl
        oo	orpklik
        op	o p
        or	p pdogl
        ou	n pdpwp
        ov	jep
        pr	pop
        rd	p n.j
        re	pnpclklslgk
        ro	peltkbk
        ss	oepin
        st	oepanomrmimul
        t 	pilbkojnjaj
        te	p orn
        ti	peogm
        to	pencmtm
        tr	oapepoo
        ui	ptpdl
        un	pnotn
        uu	krp
        uw	p p
        va	nnp
        ve	orp
        vo	noplm
        wa	psoto
        we	n peprologm
        wi	pln
        ze	o pgl
        zi	njptlcl
        zo	p nun
        ␃d	pap
         aa	jnp
         de	l p
         ee	jnp
         er	n p
         in	m p
         is	h p
         oo	nkp
         te	n pgl
         ve	jrpel
        aar	m pdk
        aat	psm
        an 	pdnjk
        bbe	knp
        dat	g p
        die	m p
        een	h psi
        ege	onp
        eve	nnp
        gaa	inptp
        goe	gdp
        hee	nfp
        het	f p
        hie	orp
        hij	j p
        in 	pdo
        laa	ptp
        lan	ngpdp
        lij	mkp
        mij	nnp
        moe	mtpsk
        nde	orpnn
        nge	onp
        nie	ktpul
        oor	o p
        raa	pgo
        rde	pnp
        tij	ldp
        van	l p
        vee	llp
        voo	arp
        wer	okpdn
        wor	jdp
        zij	lnp
        """#)
}
