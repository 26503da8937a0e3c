extension LanguageModel {
    static let portuguese = LanguageModel(
        #"""
        	k paoeooosnrmimmmnmumtmdmclllpk⇧kvkhjgjqjbjfiãi␃i.iáhéhêhzhçgjg?g,fxf0f⇪a
         	pendmpmcm⇧lmlnlvkqkfkbjéihigijh2f1fàe:dkcwcúcóc"c3b5b4b9b+b7b8b6b
        !	f p␃o
        ,	g p
        .	i p␃o.l1h
        0	p␃n0n3l7l9l5k8k6k2k1k4k
        1	p0p2o5n1n7m3m9m8m6m4m
        2	p0p4m2l3l9l1l6l8l7l5k
        4	p5m6k
        ?	e p␃n"l,k
        a	n prnnmsmlldlmlbj.içizi␃h,gíe!e-dyd
        b	neprpapooimék
        c	oopaoinêmhmkgífóe
        d	lepopaoim
        e	o psnrnnnmmlmulgjzhxh-d!d
        f	oapopipeormíj
        g	papupoprn
        h	mopaoenákãj
        i	psnnnrmmmtmdlclllgkvkzjxi
        j	oopapuoám
        l	penanhmimgkáiígyf
        m	n paoeoilpkbiífúe
        n	ptodnãmhlclilgjçjóhúe
        o	m psmrmmlnkukcklj.ibh␃h?g,g!ewc
        p	nopapeproóg
        q	aup
        r	pao oenimáiófífyd!d
        s	p ptnensm.iãiógíe!e
        t	mepapoprninámãlôhóhíf
        u	pmoeo oilllíf
        v	lepopaoioíg
        z	pep o
        á	n prlgj-i
        ã	jop
        ç	napãpõl
        é	m pml
        ê	k pslnl
        ␃	p⇧oul"g
         a	pllckpjtjqjgijh
         c	nopanekrkli
         d	oepimui
         e	pspmnlnunxk
         f	panuk
         i	pspnp
         l	pioonumál
         m	kepapuoimomãk
         n	lãpooaoemók
         o	n pullkbjkf
         p	paorniiég
         r	nepomul
         s	kepomamumimãjój
         t	peprnulêi
         u	jmp
         v	pooái
        . 	p⇧ouk1j
        a 	pdlcl⇧lmksk
        ad	pop
        ai	psp oxl
        al	p ngmmlvj
        am	pomilbk
        an	pdoçk
        ar	p paptlrl
        as	n p
        at	pékuj
        av	pap
        ba	ploil
        be	pmnbk
        ci	paoondm
        co	ompnollik
        cr	pip
        cu	plpropn
        da	o pdm
        de	n pijvj
        di	psnanzlfk
        do	n pij
        e 	pak⇧kskujtj
        ec	oepip
        ei	prp oxm
        el	pepao
        em	m ppkok
        en	ptpslqi
        er	p otlrkgi
        es	ptpsnclpl
        eu	i psk
        fa	pzplovm
        fi	pcpln
        fo	orpio
        gu	pamnmél
        he	prpiogncn
        ho	pmnrnjj
        ia	p p
        ic	pap
        id	pap
        in	phnamolgkfi
        ir	paoon
        is	psotnam
        it	pop
        jo	pgpvn
        m 	pumclskhktj
        ma	o psmim
        me	pnommikçi
        mi	pnogm
        mo	pso
        mu	miplonm
        nd	oop
        no	n psnvlik
        nt	peoôi
        o 	pdm⇧laksktjuj
        oa	psp
        oc	mêpuk
        oi	nsp o
        om	peoonpl
        on	ptoslfj
        or	p otmrmmk
        os	n p.i␃i
        ou	n ptlvk
        pa	orpij
        pe	prosndlqj
        po	prpdnik
        pr	oepooók
        qu	hepalil
        r 	paluk
        ra	p pnmmltjvi
        re	psncmiltkvjpj
        ri	paoom
        s 	pdlaksj
        sa	pblij
        se	p oumgliljj
        so	pamulbl
        ss	lopenanim
        st	paoáoãl
        su	pap
        ta	pmldkvk
        te	p pmn.j
        to	o puldl
        tr	oaponêl
        tu	pdpro
        ue	n p
        ui	pto n
        um	j pao
        va	pmmil
        ve	prolmzliljj
        vo	ncpll
        ze	prp
        ão	k p
        ␃e	puplo
        ␃u	gmp
         al	pgp
         as	pso
         co	omprl
         de	pskph
         el	nep
         es	mtppl
         ho	omp
         is	lsp
         ma	pipsonn
         me	pul
         si	pmplp
         te	ompnoro
         to	pdp
        ais	k p
        ara	n p
        cas	pap
        com	p p
        dad	mep
        ela	m p
        ele	m psn
        hom	hep
        les	m p
        men	mtpim
        mui	atp
        ndo	k p
        ome	pmp
        par	nap
        pes	msp
        por	n pql
        pos	psp
        qua	nnpln
        sso	m pao
        tra	pbm
        uma	j p
        """#)
}
