extension LanguageModel {
    static let turkish = LanguageModel(
        #"""
        	j paoeoiornnnlnkmdmımmmymumolsltlblükşk⇧kzkgjçj.jhjcjvj␃iğipiöifh?g'g,f0ḟa⇪a
         	pbndmsmkmym⇧molglhltkvkçjpjöifiİh2g1fje:e5d+c4c9c8c7b3b
        !	j p␃o
        '	pdo
        ,	a p
        .	i p␃o.l1g
        0	p␃n0n7l8l1l5l3l9k2k6k
        1	p0o2n5n1m7m9m6m8m4l
        2	p0p2m1m3l6l9l4l5l8l7l
        ?	i p␃o
        a	m prpnoknlnynmndmtmsmşlzlckpkhkvkğkfijf
        b	lipuoanenöj
        c	oapepum
        d	kepapioınumüloköj
        e	o pronoknlmtmdmslğlclvkşkfi
        f	paoen
        g	nepioönün
        h	oapenâh
        i	n pnorolnynmmkmsmzlşlçl.jğj?ḣf!e
        k	p paoiolmomtl.k!f
        l	papeoinımdmmlgjâf
        m	oap peoioımum
        n	p pdmulılcj
        o	orplonokmğjpjji
        p	panllılok
        r	p oamıluldl.ktj?h!f
        s	oepapipıptooounülöl
        t	paoeoinınulültl
        u	p pnornmnzmylğk
        v	oepap
        y	papopenımüm
        z	p oam?j
        ç	pinomım
        ö	prpnoynzn
        ü	pnpzorolnynknmnşnçm
        ğ	oipınun
        ı	m pnolnrnymmmkmşm.lzlğk?i!g
        ş	pemimımtmmlük
        ␃	p⇧pbnskpkfjİi
         a	plnnnymçlvk
         b	punüioh
         d	pepomülöl
         e	ptndnvm
         i	pçnknsnşmhj
         k	naponelılulöi
         m	pipınunüm
         n	mepam
         o	olp ltkyj
         s	papepopümöm
         t	oapeool
         y	oapenümöi
         z	mapon
         ç	oopanöl
         ü	pçplp
         ş	pepun
        . 	p⇧o2i1i
        ac	japıl
        ad	napıo
        ak	p o.lık
        al	pımtl
        am	pap
        an	pımlmalck'i
        ar	pınamtk
        as	oıp
        at	pıo o
        av	proun
        ay	pınnkdk
        az	pın
        aş	oıploaokn
        ba	pşnbj
        be	pnpşnln
        bi	nrpln
        bu	o plm,i
        ca	okp
        ce	o pkp
        da	p phl
        de	p oğm
        di	p.lğl␃h
        du	proğn.m
        dı	p.n␃j
        ec	lep
        ed	lipepdj
        el	oepip nlm
        em	peo
        en	o pio
        er	p pipençk
        es	pip
        et	p pmntnkm
        ey	oep pioln
        eğ	hipel
        ge	olprpçn
        gi	pbndntm
        he	orppm
        ik	pio
        il	peoio.k
        im	o pdmllsk
        in	o pinel
        ir	o pimmk
        is	ptpio
        iy	oopim
        iç	oip
        ka	ptmdmlmbjçj
        ki	p p
        ko	pnpsn
        la	orpnnclşkbj
        ld	pupıo
        le	prpmkyj
        lk	pep
        me	pkmdmslylmk
        mi	p oşm?l
        na	o psm
        nd	pap
        ne	o pdmml
        ni	o pnozm
        nl	oap
        ok	n pumsl
        ol	pdnmnum
        on	puorl
        or	puo.nsl␃k
        pe	nkp
        r 	pakmkşh
        ra	pdmklfj
        rk	pen
        ru	pmppk
        sa	pnnğk
        se	pnnçk
        si	pnozn
        so	onpvm
        su	nnpçl
        sü	lrp
        ul	pun
        um	n pumdl
        un	puoll
        ur	pupao
        us	nup
        va	prp'k
        ve	m protm
        ya	ppmcj'h
        yl	oep
        yo	mrp
        yü	lzpkn
        yı	plosk
        çi	onp
        ço	lkpcm
        çı	okp
        ön	oepcoün
        ör	püptoeo
        öy	ilp
        ül	pko
        ün	pün
        ür	pepüokn
        üz	pendn
        üş	püp
        ği	ploşm
        ıl	p oıodn
        ım	n pım
        ın	pdoınam
        ıy	mop
        şe	oyp
         bi	mrpnlzj
         bu	pnm
         de	pğovl
         ki	pmpşo
         ol	pao
         yo	mkplo
         za	nmp
        bir	m p
        dan	j p
        dar	k p
        end	mip
        eri	p pno
        ind	kep
        lar	pıp p
        yor	p.o o
        ğil	o p.o
        """#)
}
