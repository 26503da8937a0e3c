extension LanguageModel {
    static let german = LanguageModel(
        #"""
        	j pepnninsnrntnanhmdm⇧lllclulmlglokwkbkfkkkzj.ipivi␃iüiäh,hjgög?f!f⇪a
         	p⇧odnsnwmimmmhlglblklvkfkzkjipi2f1f:d0c3c5b4b+b9b7b
        !	f p␃o
        ,	a p
        -	p⇧o)k
        .	i p␃o.l1g
        0	p␃n0n7l9l8l2l3l1l6k4k5k
        1	p0p2n1n5n9m6m8m7m4m3l
        2	p0o2l4l6l1l3k
        ?	e p␃o
        a	pnpsouolornbncmglmlygßg
        b	oepillkye
        c	hhpkj
        d	oepinanumye
        e	pnprp piosmllxeßeye
        f	pamülrlfkojäi
        g	pepljuj
        h	o peotoanrmlloköjäj
        i	pnpepcpsntmglßi
        j	nepap
        k	pepaoootnlnömul
        l	peoloinantmokäj
        m	n pepapipmnumolpküjöj
        n	p pdmgk.j,i?h!g
        o	pnnrnlmcmmmbkpjßi
        p	prnanflolllpl
        r	p odkoiüh.hyb
        s	p ptpincnsmompkye
        t	o peozk.j,i?g!gyd
        u	pnpsnrmfmtmcmmmßh
        v	lepopin
        w	lipepaoomäküj
        z	oupeotmimwl
        ä	ptonorohouncnln
        ö	pnoroßk
        ü	prpbocnhmßh
        ␃	p⇧pdmwl
         a	puplobn
         b	pinrlak
         d	papipunok
         e	oipsnuj
         f	püornll
         g	lepalrlullk
         h	oapimäk
         i	ocpsphnmm
         l	pepapäm
         m	pipapumäi
         n	hipanomemumäi
         o	pdohokmfm
         r	oepanum
         s	nipcoonenalpl
         t	proaounon
         u	jnpml
         w	pipaouk
         z	oup
         ü	bbp
        , 	pdnwn
        . 	p⇧o
        ah	orpnm
        al	olp osotn
        an	pnodngmzlkk
        ar	ptmbk
        as	m psn
        at	ptmilüj
        au	pfpspcnblpk
        br	papio
        ch	p ptowi
        da	ospvi
        de	orpnoml
        di	meprk
        du	n p
        e 	p⇧najli
        eh	peoroml
        ei	nnptlßjdjljbi
        el	p mbj
        em	o p
        en	n p.knj,i?i␃h
        er	p psltkki
        es	p pem
        et	pznwmtm
        fa	phncn
        fr	papep
        ge	pnpsnhmlmblfkwkgk
        gi	pbo
        gu	otp
        h 	pnkak
        ha	pbotofk
        he	pnouj
        hn	peo
        hr	peo
        ht	n psk
        ib	ptp
        ie	o plkdjbjgißh
        ih	krpnnml
        im	n pmp
        in	penfi
        ir	m pdmkk
        is	otp
        it	ptl
        ja	n phn
        je	ntpdomn
        ka	pnp
        ko	pmp
        li	pcp
        ll	nep ntn
        m 	p⇧o
        ma	onplocn
        me	pnoiohm
        mi	otprn
        mm	neptn
        mu	nsp
        n 	p⇧najui
        na	pcotm
        nd	p p
        ne	p pnpmluk
        ng	p osm
        ni	ncp
        nn	m pentm
        no	ncp
        nu	prp
        oh	pno
        ol	olp
        om	omp
        pr	poo
        r 	p⇧naknj
        ra	puogmtmdl
        rd	mep n
        re	pnoincl
        sa	pgomn
        se	pnoiohmll
        si	pep
        so	o plo
        ss	oep p
        st	o palikäh
        t 	pdmelaknj
        te	p pnolltlhk
        ti	pgoonmlvl
        tr	papioonäm
        tt	nep
        tz	ptp
        uf	p p
        um	o p
        un	ndpgosm
        us	psngk
        ve	krp
        vi	mep
        vo	nnprp
        wa	nspro
        we	piprogm
        wi	nrpeoll
        zu	p p
        ön	nnp
         be	pinsnwk
         ei	jnp
         es	j p
         in	n p
         is	ftp
         ke	nip
         un	ldpsntl
        bei	p pmm
        cho	lnp
        der	m p
        die	j psl
        ein	nep o
        hie	mrp
        ich	l pto
        ier	ptoen
        ies	nep
        ine	p p
        ist	l p
        kan	knp
        mal	n p
        man	o p
        mit	m p
        sch	peolnomwmimulnl
        sie	k phj
        sin	ldp
        sse	onp
        ver	psnllbl
        vie	nlp
        wen	nnp
        wer	pdp
        übe	irp
        """#)
}
