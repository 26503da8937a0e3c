extension LanguageModel {
    static let french = LanguageModel(
        #"""
        	j peoansnimnmtmumrmomlmmldlclpkvk⇧kéjqi'ihifiji,ibi.igi␃i’h!hàh-h…gxgzgègygêf?f⇪a
         	pdmpmlmclml⇧lvkjkqkfjbj!jàigi?hçg2e:e1e;e—ckb0b4b5b+b3b9b7b
        !	d p␃m…m
        '	n paméj
        ,	c p
        -	pcmtmvmmlêk)h
        .	j p␃o.l1g
        0	p␃n0n9l7l3l8k6k1k5k2k
        1	p0o2n1n5n6m9m7m4m8l
        2	p0p2m1l3l8l9l4l5k
        ?	c p␃n…l
        a	pionnrmsmumvlgjbiîg
        b	pipoploaorn
        c	pepoohoim'm’lôgkg
        d	mepimamolulék'k’j
        e	n psnnmrlulzj.i,i
        f	papinonfm
        g	pepaornnném
        h	pepaoonék
        i	psotnenlnnnrmgièixh
        j	mepom'm’k
        l	pepanln'làj’j
        m	lepaooommimplbkéj'jêjèi
        n	p ptoeosndmclgk'j,j’içf
        o	oupnpinrmmmyiùhke
        p	oapooenrnlmpkèi
        q	gup
        r	peoamiloléjèhêgçe
        s	o ptmokik,j.i-h…gûd
        t	n penrmilol-jéj,i.iôe
        u	prnsnnmimtlxkvj'j’h
        v	mopeoanin
        x	o p,k
        y	p p
        z	m p-m
        à	j p
        ç	map
        è	orpso
        é	p otncmrmplgj
        ê	ktpmm
        ’	oepapél
        …	g p␃m
        ␃	p⇧pckjk
         a	puovo nlmplmkckhk
         c	poo'lalrk
         d	pep'lri
         e	mspnptplmxk
         f	papemrl
         i	nlpckmk
         j	pujaj
         l	mepao'm’lul
         m	papop’j
         n	mepop'n’m
         o	pnpùlhlbk
         p	papemuj
         r	oepémim
         s	mopepapuoin'm’k
         t	ooprouoam'lêj
         u	inp
         v	poprj
         é	otp
        . 	p⇧o—i
        ? 	p⇧o
        ai	psptp nmk
        al	ploonil
        an	ntpsodncmgl
        ap	pppim
        ar	pdmtmrmllcl
        as	l psm
        at	pioto
        au	p otoxmcm
        av	nepao
        bi	nep
        ce	o ptlll
        co	pmo
        da	mnpmn
        de	o pmkvj
        du	n p
        e 	pskckvknjtjfj!jrj?hhg
        ea	mup
        ec	o ptm
        el	olpql
        en	ptodmckfi
        er	p pslrlck.j
        es	m ptosk
        et	n ptm
        eu	prpxo
        fa	oipçi
        fe	prpmo
        ga	prp
        h 	n!p
        ho	pmoso
        ie	onpuorn
        il	m plnsl
        io	lnp
        ir	nep o
        is	o psl
        it	o p
        je	k p
        la	o p
        le	n psn
        ll	mep
        lu	ospip
        ma	piprndmll
        me	pnntj
        mm	lep
        mo	nnpio
        nd	p nrnsl
        ne	n p
        nn	nepan
        ns	n pin
        nt	p p,j
        oi	p nrn,j
        om	omppn
        on	p psnnm
        or	ptpsmdm
        os	peo
        ou	osprotnvmpkji
        pa	nspro
        pe	puprotnlm
        pl	oupao
        po	muprnsl
        pr	pooioénèm
        qu	hepim'mal’kok
        re	p pmktjgjpi…h
        ri	penvk
        ro	pinplckbj
        s 	pdlaksk!j
        se	prmmj
        si	peo ool
        so	pnpll
        ss	mepioaném
        st	n p-l
        su	nrpio
        t-	pcpio
        ta	pip
        te	pnlmj-h
        ti	ponqj
        to	oup
        tr	neponèk
        tt	nep
        tu	n p
        ue	n pll
        ui	o pso,k
        un	k peo
        ur	p psmqj,j
        us	m psk
        uv	neprnél
        ve	prpconozouo
        vo	mupintk
        ça	l p
        èr	aep
        ét	napém
        êt	meprp
        ’e	nsp
        … 	p⇧m
         ai	o p
         de	m psm
         en	o pfl
         es	ktppj
         et	g p
         la	l p
         ou	oip n
         tr	oopao
        ait	l p
        bie	enp
        ce 	pqn
        dan	msp
        de 	plm⇧mml
        don	ncpnp
        eme	jnp
        fai	ntpro
        ien	p p,l
        les	k p
        mai	jspnn
        men	ltp
        peu	otp o
        pou	mrp
        sie	mup
        tou	otpjm
        tre	n p
        vou	isplk
        ’es	itp
        """#)
}
