extension LanguageModel {
    static let hausa = LanguageModel(
        #"""
        	jap pnninkmulsl⇧ldlrlylmktkekbkokwkhkgj.jcj␃jlj,izifiƙhjhɗh"g0g'f1f2f!f?fpe-e⇪c
         	pso⇧okodnynbmtmmmgmclwlzlhk"kjjƙjfjɗj2h1h⇪g“g:fɓf(f5e3e9e4e+e7e8d6dƴd<cvc;c
        !	k p␃n
        "	k p.n␃l
        '	papum
        ,	e p
        -	pgn)k
        .	j p␃o.l
        0	p␃n0n3l8l1l7l9k5k6k4k
        1	p0o2n1n5n7m9m8m6m4l:k3k
        2	o0p2m1l3l9l5l4l6l7l8k:k/j
        3	p0n3k4k9k5k7j6j
        4	p5m8j9j7j
        7	p0m9l/k3k5k4k:j
        8	p0m5k4k3k9k
        9	p0m3k7k5k6k/k8j
        :	p-l)l(l3l4l
        ?	g p␃n
        a	o pnnrmmkbjtj.jljci,ifiɗh'hƙhjhɓf!f)b
        b	kapimuloj
        c	pipep
        d	japilukok
        e	m pnlrk.j,j-jwj␃i
        f	mapipum
        g	kapilylokukek
        h	mipapelol
        i	m pnokmylrk.k,ktjlj␃igiphɗh
        j	oepip
        k	lapumimomelwj
        l	naponinlnelmk
        m	napummkekfj
        n	o paoekcizi,i
        o	o pnokmmm,ltk.k
        p	penhm
        r	papioenulblokɓf
        s	maphounok
        t	mapulolsl
        u	onp pkowmmmrmbltllk.k,kɗj
        w	kapoi
        y	lapimej
        z	lapunol
        ƙ	mapinon
        ɗ	mapioel
        ␃	p⇧psmdltkykbk"iƙi“f
         a	pkmmmblilllsjdj
         b	map
         h	napwk
         i	nnpyndmtmmkskzj
         k	oapunyi
         m	japunik
         n	gapemilojuj
         r	napup
         s	phounij
         t	nap
         w	pikuk
         y	fapim
         ƙ	pulwk
        , 	psmalclik
        . 	p⇧o2i:h
        a 	pdlalbkgktkcjnjwjhijirhlh
        ab	punbmol
        ac	p ock
        ad	pdl lmj
        ai	n pdimh
        ak	pemkkwk
        al	plomm'j
        am	pflmlilbk
        an	pilnldjzjkjtiyigh.hjg
        ar	p nblkjwj
        as	puo lkjsj
        at	p ltlik
        au	pymlm
        ay	p lyk
        ba	p pym.lbktksk␃j?h
        bi	onpymsk
        bu	pƙkgj
        c 	pcp
        ca	knp
        ce	l pwk
        ci	pko
        da	n pikgjwi
        di	pkpan
        du	pkobo
        e 	pdlml"jnj
        fa	pnornyn
        ga	prnbk
        gi	pdpln
        go	pgndm
        gu	pdp
        ha	pfoɗmkmllwkjk
        hi	p pgm!h
        ho	otp
        i 	pdmylalnlmlbktk
        ik	oipkn
        in	n pcjdi.h
        ir	prlƙj
        iy	pol
        je	pro
        ka	p pilckskwj
        ki	pnopkɗk
        kk	oop
        ko	p pwk
        ku	p omnsk
        la	pmnbmglykhk
        lo	pkplm
        ma	pilskkktkuj
        mi	pnpsnjk
        mu	ptlsk
        n 	pdlnkakgkwjhirilh
        na	m pnoikwj
        ni	p p
        nn	japil
        nz	mup
        om	pinol
        on	n pnl
        ri	pnphk
        ru	pwobnfm
        sa	pinmmulklblƙkyk'jwj
        sh	oip
        si	prppn
        su	o pnpsk
        t 	ntp
        ta	phjkjtjcisi
        un	papkmtkgj
        wa	pnoiltk.ksj␃jɗi
        y 	nyp
        ya	pnmrmckyjwizh
        yi	n pll
        za	pkmmmilɓl
        zu	pwo
        ƙa	prpsn
         ab	pip
         ai	okp
         am	nfpmn
         ha	pnnrmuk
         ka	prmilmlsllk
         ma	pinslhj
         sa	pinnmƙl
         wa	onpjk
        , c	j p
        a a	p oko
        aba	pro
        aka	o p
        ba 	pdn⇧nzl
        c c	kep
        ce 	pmn"n
        da 	psmamklgl
        dan	o pdo
        dik	ckp
        fan	kip
        gar	pbp
        gya	irp
        han	pypuo
        ida	pnp
        iya	o p
        jer	kip
        kac	lip
        kan	o p
        nan	l p,k.j
        nna	lnp
        oka	kcp
        rba	j p
        sam	pupom
        sha	ofp
        uma	m p
        wan	onpindm
        yan	papzo
        """#)
}
