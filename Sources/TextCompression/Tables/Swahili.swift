extension LanguageModel {
    static let swahili = LanguageModel(
        #"""
        	kap pionmkmummmemwmolhltlllsl⇧lykrkbkzkdkgjjjpjcifi,ivi.i␃h⇪f
         	pko⇧omnwnnnymhmslzkvkcjpjjj2i⇪h1h(g"f“f#e3e:e5d@d4d6c
        (	p⇪m@l
        ,	i p
        -	p⇧n
        .	l p␃o.m"i1h”h
        0	p1n0n␃k9k8j7j5j
        1	p0o5n9n2n1n3n4n6m7m8m
        2	o0p4k6k2k3k5j1j9j
        3	p0m5k
        :	n p␃n.l
        a	n pnmmltklkkkrkbidijifi,h:e!b-b
        b	mapinumomel
        c	nhp
        d	napipenhnom
        e	p pnolmzmkmrmsltl,jxf:f
        f	oapuorl
        g	napupioooeohm
        h	kapiounelol
        i	p pnnknlmsmtlrkfj,jcjpjvi.i:f-d!d
        j	kipaoumem
        k	jupapiownelol
        l	lipanemok
        m	napbninemumolwlpj
        n	napiogndmymzjcj
        o	o pnmkltljk,jrjgjfjpj.i:f
        p	oipapooen
        r	mipaoemumok
        s	phpipaoem
        t	napiouoonen
        u	pnmmmtlwlslkllkrkpjzjfjjjci
        v	nipypun
        w	japel
        y	laponem
        z	napipom
        ␃	p⇧pklhl@h
         a	plpmpnofmumsljl
         d	pum
         i	plpnpmn
         k	pupwo
         l	oapuj
         m	papwmtlkksijifi
         n	oapclji
         s	paoen
         u	ptlllhkckgi
         w	japog
         y	jap
         z	oap
        . 	p⇧o
        a 	pknmmuksjtibilhrhfggf
        aa	pnodnrm
        ab	plk
        ai	pdnsnfl
        aj	nip
        ak	napioen
        al	oip
        am	pbn
        an	papdnolzk
        at	pip
        ba	prnymlldlbkojpi
        bl	nop
        bu	p p
        da	polml
        de	plool
        di	p o
        el	oep
        en	oypdogoem
        ez	oapem
        fa	pnohkck
        ga	pnnzm
        gu	p pznvk
        ha	prkkkbkpiyigi
        hi	pnmrkykvkzi
        hu	psoknrmomumdl
        i 	pkmwmymzkljui
        ia	m pnmsk,j.i
        ib	pup
        ik	oapin
        il	nip
        im	penum
        in	piognel
        is	phptj
        iy	mop
        ji	p ojkbk
        ka	ptnmlzjbj
        ki	ptkwkmjojjj
        ku	pwntmpkfkbkhj
        kw	pen
        la	n pklzj
        li	pokykmjzjwjpj
        lo	pgn
        ma	ptkskjjdjhipioigh
        mi	pamzj
        mo	pjp
        mu	p pdl
        mw	pil
        na	n pyjojwjfjsjchzhvhph
        ng	pinwj
        ni	n p,j
        ny	oepimuk
        o 	pwmymhllk
        oj	map
        on	pgnemok
        ot	oepoo
        pa	pmntnkm
        pi	pnptpcpaogo
        ra	pilsk
        ri	o pkoanbm
        sa	pbksk
        se	orpmphm
        sh	pwk
        ta	pnmklfjwjzi
        ti	p pkp
        to	pkpamllvk
        tu	p pmo
        tw	pip
        u 	pwmylzj
        ub	pwo
        uh	oup
        um	pinzk
        un	pgn
        us	pum
        ut	pon
        uu	o p
        vy	oop
        wa	n pkllksizhph
        we	onpzn
        ya	m poh
        ye	o p
        za	n pik
        zi	p pml
         am	lbpem
         ba	pan
         ha	pbotnknlmymwm
         hi	oypvplpiozn
         in	laptk
         ka	otpmo
         ku	ptmskjjoi
         ma	palrlkkejzich
         na	k p
         wa	pnltlll
         zi	onplo
        a k	oupin
        a m	papim
        aba	nrpbn
        ake	m p
        ama	n pnn
        amb	nap
        and	oap
        any	napwl
        ari	o pbofm
        cha	o pgmck
        chi	mnp p
        eka	onp
        end	oep
        ene	pop
        eny	jep
        fan	myp
        gin	eep
        ika	m pll
        kam	lappm
        kat	jip
        kwa	k pml
        mia	pkojn
        mwa	onpko
        nch	gip
        sha	o p
        tik	hap
        tok	lapeo
        usu	m p
        wa 	p⇧lnlsj
        wan	nap
        wat	oup
        wen	nyp
        ya 	p⇧l
        """#)
}
