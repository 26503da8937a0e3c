extension LanguageModel {
    static let data = LanguageModel(
        #"""
        	m p1p2p0o3n4n5n6n-m7m8m9m:mamem⇧m,l.l/lblcldlflilmlnlplsltl⇪l#k;kgkhkkklkokrkukwkxk|k␃k+j=j_jjjqjvjyjzj!i"i*i>g&f<f%e?e}c$b'b(a)a@a[a\a]a^a`a{a~a
         	p1n2m3l⇧l-k|k⇪k/jbjcjdjhjpjsjtjfilimiyi+hkhvhwhjg$d"a
        !	p⇧l⇪l
        "	p:m,k␃k}i
        #	p1l2lpjsjtjbicidifilimi⇪i+hyh
        $	lgp⇪p
        %	p p
        *	p1k⇧j+ifh
        +	p2p9m
        ,	p o1m0l⇧k-ilimi+hyg"d{c
        -	p1p0o2o3n4m5m7m8m9mdkfk
        .	p0p1p2p3o4o5o6o7o8o9oclgi
        /	p2n1m0l⇧k/j?ili@hfhmhwg e
        0	p.o0o n,n2n3n4n5n6n7n8n9n;m/l␃l#k|j*i
        1	p0p1o2o3o4o5o6o7o8o9o,n.n/l;l␃l#j|j*i!h
        2	p0n5n,m.m3m4m6m7m8m9m;k/j␃j
        3	p,m.m0m3m4m5m6m7m8m9m;k/j␃j#i|i*h
        4	p,m.m0m3m4m5m6m7m8m9m;k/j␃j#h
        5	p.m0m3m4m5m6m7m,l8l9l/k;k␃j#i-i*g
        6	p,m.m0m3m4m5m6m7m8m9m/k;k␃j#i-i*h
        7	p,l.l3l4l5l6l7l8l9l/j;j␃j-i#h*g
        8	p,m.m0m3m4m5m6m7m8m9m/k;k-j␃j#i
        9	p,l.l3l4l5l6l7l8l9l/j;j␃i
        :	p o0m1m3m4l/b"a
        ;	p o1l⇧kli+hyg
        <	p/o
        =	p-n1n2m"l3l4l a
        >	p<o␃m
        ?	ptmllvlzlqk
        @	p-o
        a	pnnrmtmclllmlbkdkgkpkskijkj#ifihiuiviyizhxf
        b	pemalikok-jcjdjljrjujbifiyhkf
        c	pomalelhlik-jcjtjbidifiuivikhyh
        d	pem lalil:kok-jfjrjsjuj#i=idi
        e	pnmrmdlsl:kakcklktk#j-jmj=ibifigixiphvhzhwgqf
        f	palelikok-j:jfjljrj=ibicidiui
        g	p mamelilolrluk:jljnjpjxjgihisi
        h	pamtmelilolukrjhipishyhzh
        i	pnpdntncmlmrmsmalelglolkkmkpkvkzkyjóe
        j	palulekyi1hjhqh
        k	palelilgkoktkukwi
        l	panemomillldjnjtj=iviyikg
        m	panemikokpkuk,jbjtj/igi_f?a
        n	p mamgmomtmdlelilcksk#jyj=ijikizifhãe
        o	pnmrmsltlulcklkmkpkdjkjvjxj#igioiwizi
        p	pemrmalolhkiklk:j=jmjsjujvigh
        q	puknj=itijh
        r	peo naninonsluldkmktkyk#j=jcjgjkjrjvjwjêf
        s	p nentnimalhlolsl,k:kckpkuk#j=jíe
        t	panen mimrmhlolul:k=ktk#jyjpizh
        u	prnsnmmnmtmalelglbkckkklkpkhijizi
        v	pemalilok=igi
        w	pamelilhjojfikiwh.g
        x	p l=lnjpjtjxjyi
        y	pemalol=krjui
        z	pelilakoksj=iuiwizi
        {	a"p
        |	p1m+h a
        }	b,p␃p
        ␃	p⇪o⇧njkcjhjmjsjtjbidifilipi$h+hyh<g{g
         -	p p
         /	l p
         0	p.o n1l6l7l9lxi
         1	p m0m3l4l5l9l
         2	p0n l1l2k
         3	p l0l1k2k
         =	h p
         a	pcmmmukvj
         b	paokk
         c	pooanlkrk
         d	panenin
         e	p-m1ktkuk
         f	penrl
         h	otp
         l	papopnm
         m	paoim
         n	ponem-juj
         p	pmnrnamom
         t	ponemrmzkxi
         |	b p
        ",	p"o
        ":	n p"n
        #1	p#m
        #2	p0p#m
        $g	fpp
        +2	p5p2n4n1m
        +9	m6p7p1o2n
        , 	p0k4j5i7i8ieili+hnh"gxg{e
        ,,	k*p
        ,0	p,o.o0n
        ,1	p,m
        ,2	p,m1k2k
        ,3	p,m
        ,5	p0o,m
        ,a	p,o*m
        ,e	p,n-m
        ,m	p,o
        ,n	p,ooo
        ,w	p,p
        -0	p1m4m5m6m7m8m9m
        -1	p0m1m2m
        -2	p0o2l1k
        .0	p0o1m4m5m6m7m8m9m
        .c	lop
        .g	mopln
        .o	mrp
        //	pmnwndlgltlbkck
        /0	p/l1k
        /1	p/l0l
        /2	o0p/k
        /3	p/m
        /m	p.o
        /w	owp
        0 	p|k/j0jajpj
        0.	p0m3l4l5l
        00	p m0m,l:hzh
        01	p8l9l j/j:i-g
        02	p1l2l5k6k7j-g
        03	p0l1l-k2k/j
        04	p k-k1k2k/j:i
        06	p1k2k:k/j-g
        07	p0k1k2k:k-j/j
        08	p2k:k-j
        09	p2l-k/k0k1k:k
        0:	p0n3n2m5m
        1 	p|k/j0j
        10	p1k/j:j-i
        11	p k.k-j/j:j
        12	p.l k/k1k2k:k-j
        13	p k1j:j
        14	p k:j
        15	p k1j:j
        16	p k:j
        17	p.l k0k:k
        18	p k:j
        20	p2o1l
        21	p k.k-i:h
        22	p l.k1k-i
        23	p k4k-i:i
        24	p k-h
        25	p l,l0l1k-h
        26	p l,l-l0l
        27	p m,l-l0k
        30	p k1j-hzg:f
        31	p k.k-i
        33	p k3k
        50	p0l4k1j
        66	p6m
        96	p2l1k
        99	p9m
        : 	p-k4k⇪k5j7i"a
        :/	e/p
        :0	p0p
        :3	p0p
        ;0	p.o;o
        ;1	p;m
        ;2	p0m;m
        aa	pxn
        ac	pcoentn
        ag	oepsn
        al	ptm lsl:kek
        an	pcldlki
        ar	prktkpjni
        at	peo mim.l:j=i
        ba	plngm
        bc	pgm
        bk	nnp
        bl	pko
        ca	psm
        ce	p m:l=lblik
        co	pnomnundm
        cs	pbp.o
        da	ptnym
        de	p lalclpk
        di	psoenal
        e 	pik=i
        e.	pco
        em	pppao
        en	ptosk.j
        er	prlsk.j,i:i
        es	p,lsl/j;j
        et	pbldk.jmj
        ew	p o
        fe	pmoenbm
        fo	prpon
        g:	m p
        gl	peo
        go	pop
        gp	pgo
        he	proimyk
        ht	mtpmi
        ic	peoknhmul
        id	p n=m
        ig	phn
        im	pep
        in	pcldlfjrj
        io	pnp
        it	penhlyknj
        j1	l!p
        ju	plpnp
        la	otpnm
        le	p l,l.l/k;j
        ll	p,mim=l
        ln	ngp
        lo	onpsmwmcl
        ma	plornylxk
        me	pnndm l
        mt	phocn
        na	p l,l;j
        ne	pwmgl
        ng	p:n lnl
        no	p mvm,l.k/k;k|j
        nt	p muk/j
        oc	ptnkmsk
        og	plp
        om	p/o m?j
        on	p memfl:j=i
        oo	pgpdo.m
        or	pgltldk
        ou	orpnotn
        p:	p/p
        pa	pinrm
        pe	pnorotm
        po	psopn
        pr	pepipoomn
        ps	l:p
        re	pfmsmqlakek
        rg	p/n
        ri	pcm
        rm	pcmklsl
        s.	pgn
        s:	n/p
        se	pxl kpk
        st	panrm,k
        t:	o p*j
        te	p mrmml
        th	pen msm
        ti	pmnon
        tm	p_oln
        to	p ntm
        tp	lsp:m
        tt	npp
        ur	p mclbk
        us	pdlfk
        ut	pflmlul
        ve	pro mhl
        vo	plp
        w.	pfmgmyl
        ww	m.pwp
        xa	ofp
        ye	ospam
        yo	oup
        |0	p|p.o
        |1	p|m
        |2	p|m
        ␃j	l1p
        ": 	p"p
        , 0	p,n
        , 1	p,m
        ,0,	p0p1o
        ,00	l0p
        ,1,	p1p0o2n
        ,50	m0p
        -01	o-p
        -02	o-p
        -05	o-p
        -06	o-p
        .co	lmp
        /20	m2p
        025	p n-n
        202	p5o6o7o
        333	o3p
        :00	p o:o
        :30	p o:o
        anc	oep
        e i	lsp
        eat	php
        gpg	igplp
        lat	o p=p:o
        lng	e p
        lon	m=pgp
        mal	lep
        oun	ktp
        yea	frp
        """#)
}
