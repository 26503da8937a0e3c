extension LanguageModel {
    static let english = LanguageModel(
        #"""
        	l pentnonamimnmsmrmhmlluldl⇧lykmkwkckgk.kpjfjbjkj␃jvi'h0h,h⇪g£büa
         	ptoan⇧ninsnwnhmmmcmymbmdlflglpl⇪j'jji2i1h&g4g8g£fqf?f:fxeüe3e"e5e-d6d*d!d7c9c“c—c‘b(b
        !	l p␃n!k’h”f"f
        "	p⇧o o␃m⇪k
        #	j&p
        &	o p
        '	msptomnlmrmvl
        (	p␃m1m
        )	p␃o
        *	p p*o␃m
        +	p␃n1l2l4k)k
        ,	j p"i”h’g
        -	p)l(i4g5g7g
        .	m p.o␃n5f"f:e1e2c4c
        /	pmnwn0m⇪l2l1l/k9i8i
        0	p0p8npm9m6m2l7l3l5l1l4l⇪i/h
        1	p5o0o2o8n6n.m1m7m4l3k9k/kjjxh
        2	o p0n2m4l3l5l1l8l7k6k/j,j9j
        3	p0n2l4l1l6l9l5l8k3k7j!i/ixh)h
        4	o p0n5m2m8l6k3k1k4k9j*j7j/i-i
        5	o0p2k5k1k3j8i4i6i7h9h/h
        6	p6n9n0m1m8m2m5m3l␃l4l7l+k/j
        7	p1p0p2m8m7m5l4l3l6l9k/jqi
        8	p7p0o8n2m6m1l3l␃l4l9l5l+k/i
        9	p0p4m1m7m8m6m5l3l9l2l/j
        :	p)p-n0k/k(j3i1i4h
        ;	o p
        ?	k p␃p?i”h’h"g!g
        a	pnptornlnsnymvlcldlmlkkbkpkzfxe:d?c
        b	oepunonanlmimyl4gjf?f!e
        c	paooohoenknll⇪h
        d	m pomemalil.jyi,h!f?f:d-b
        e	o prnnmaldlsllk.jcjvixi,h?f!f:c-bqb1b
        f	n poorninenfmamul
        g	o pooenhnuk.j,h?h!f/e:d
        h	oepaoinom?e!c-c
        i	pnptnsnlmcldlmlgkfkvj'jkjzhxf’da
        j	lupooemal6h
        k	n pepinnm.l,j?i!h:g
        l	ploenimomamymdl!f?e&dzc
        m	pepanonimympkmjbj?e!d-d
        n	o pgodoontnenckkkyk'j?gjf!fxf’e-db
        o	punnnrmmlwlfkkjpjvibixf?czc!c:bjb
        p	penlnrnamompmil/i?g;g:f!e
        q	mup!i
        r	pep oimalyl.j,h?g!f-b
        s	p ptnemhl.kpj,h!g?g:d*d&c-bqb/b
        t	o phoonemil;i,h'hxg?g!g&e-c:c’b
        u	o protnsnnnlmplclgkbj'h?h!gzg
        v	lepilaj
        w	papeohoioon.k!h?h1f/f
        x	ptpxnplck␃k3j1i4h"g9g
        y	n poo.k,i?h!h:c-c
        z	oep oymzm
        £	m1p2n5m3m
        ü	k p
        ‘	p⇧o
        ’	o psoto
        “	p⇧p
        ”	g p
        ␃	o⇧pilhkykwk⇪i"gjg“e‘e1düc
          	o&p
         &	o p
         -	l p
         0	n8p9o
         1	p5n lsj
         2	o pnk)g
         4	o p.j)h
         a	pnp plnrnblmlfkgkwj
         b	pepuoanrl
         c	oapoplmrkuk
         d	jopinanenrmuk
         e	pvpnpxoaolmmlyk
         f	moproinanullk
         g	jopenrmilulakli
         h	paoonuj⇪f
         i	o ptosn'lfl
         k	nnpinak
         l	jopipaoeoul
         m	paoooyoinum
         n	kopenilakuj
         o	pfpnprnklvk
         p	orplpapooinhmum
         r	lepimomaluk
         s	mopeptohoaounimpmclllml
         t	mhpooajrjxhwg⇪e
         u	o pponnsn.k
         v	pioonan m
         w	japhpeoioonwikh
         x	pxpmn
         y	iopek⇪f
        ! 	p⇧o
        'l	flp
        'm	h p
        'r	dep
        's	h p
        't	h p
        , 	pim⇧lmkjh
        ,"	d p
        . 	p⇧pimuh1h:f“e+c
        ..	p.o!f
        .c	lop
        .i	n p
        0 	p⇧mplcl⇪k
        00	p o
        08	o7p
        09	o0p
        0p	o/ppp␃n
        1.	p5p
        50	ppp o⇪l
        90	p6p5o
        :-	o)p
        ; 	p o.n,k
        ? 	p⇧pim␃j:h
        a 	psmgmcmfmblplllmlnkrk£jvi$f
        ab	poplo
        ac	pkptoeocn
        ad	pymdjsivhmh
        af	otp
        ag	nepanil
        ah	p p.m,l?k
        ai	pdotnlmrmmm
        ak	oep
        al	nlp mkkrkskwjfi-e
        am	p opl,h
        an	pdptnymkkcksknj.ixh,g
        ap	opp
        ar	ptldllkrjsj.jcigikimi
        as	p pslkl
        at	m pemiltjcj'j.jc
        au	psogn
        av	lep
        aw	oap p
        ay	l psm.lijejbj␃j!j?j
        ba	pcobndl
        be	p pemtlclflikgj
        bi	olptognrm
        bl	oepuk
        bo	oupxnomdmym⇧l
        br	pipooao
        bs	pco
        bu	ntpyk
        by	l p
        ca	nnplprnulml
        ce	o psm.lik␃i
        ch	p o.i
        ci	paodmel
        ck	o pskljyi
        cl	laponenum
        co	pmpnollsl.jzi
        cr	pioanom
        ct	pioulsklk.j
        cu	psolnmm
        d 	ptmalhkoknjuili⇪h
        da	oyp l.j:i
        dd	pynrnll
        de	prnamdlckfipi
        di	pdosnelalfl
        dn	p'oil
        do	nnp pwmelilgj
        dr	pioaoonum
        ds	m p.k
        du	pnpcndn
        dy	m p.l
        e 	palykckojfjnjdjpjliriuikgvfxe
        e.	n p␃n
        ea	prodnsnlnclklhl
        ec	ptoin2g
        ed	l p.k,i␃h
        ee	pdnnnpntmkmlmmkzg
        ef	poptnun
        eg	panimgl
        eh	p.n
        ei	prngnvn
        el	ploflpksk
        em	p nbmplsl.j
        en	o ptockijsj.iji,h
        eo	pnppp
        ep	plo otm
        er	p pylsl.kvj,i␃i?h!h:e
        es	n psotn.l,k␃i
        et	o ptmsk.jwjze
        ev	kep
        ew	n psl
        ex	mtppmclakyj
        ey	m pej'i
        f 	ptmylmkuk
        fa	pcmmlik
        fe	peorowmlmcl
        ff	peoin.k!i
        fi	onprncnglxj
        fo	lrp
        fr	popin
        ft	oep
        fu	mlpnncn
        g 	ptmalolmkfkujli
        ga	pioml
        ge	pto1g
        gh	ltp m
        gi	pvorm
        go	otp popiodl
        gr	nepaoom8j
        gs	n p
        gt	l;p
        gu	pypepaodnim
        h 	palokmkuili
        ha	otpvodlpk
        he	m prnnlykmi'g
        hi	onpspmmpj
        hm	pmp
        ho	pwpuopnmnlmolsl
        hr	poosm
        ht	m p.k,k?ksj␃i
        hu	pronohmmm
        i 	pwnhmdmamcmgllknkkkjj
        i'	implnvl
        ia	plo ool.k
        ic	pepko nilsluk
        id	pennl
        ie	pnodnsnvlfj
        if	n pemtl
        ig	mhpnk
        ik	iepkj
        il	nlpen m
        im	oep ppm.k,i
        in	pgpkksiii.hvgfg1c
        io	mnp
        ip	p o4j
        ir	psmlltl,j
        is	n phksk
        it	p psltk.kyk'k
        je	pcn
        jo	pboyoin
        ju	lsp
        k 	pimalokujli
        ka	pyp
        ke	n pdmektkyi
        ki	nnpak
        kl	oyp
        kn	kop
        ks	m p.l
        l 	pbkmk0kgjljojnjuirivg
        la	ptnsmcmimylukzh
        ld	m pnk
        le	pamtlslckej.jmjgifi
        lf	m p.l
        li	pknelflvkgkaj
        ll	m pyl,h.h
        lo	pvnonsmtllkgkck
        lp	p p.m
        lr	hepin
        ls	o pon
        lt	o;pyk
        lu	pcmvmembmxi
        lw	hap
        ly	l p.l␃i
        m 	paloknkgkljui
        ma	pkmyldkikgijf
        mb	nep
        me	o p.lsltkmj,i?h
        mi	nnpsolmgl
        mm	pmm
        mo	orpnobnvmsm
        mp	plotm;luk3i
        mr	p.o
        ms	pgp.m
        mu	ocpspml
        my	f psi
        n 	ptmalilykokljujni0h
        n'	jtp
        na	p olnmngk
        nc	oepikyk
        nd	m psklh
        ne	pelwlskvk.jyjxj,i␃h
        ng	l p.jsi?h,h␃g!f
        ni	pnpgocn8gqg
        nk	n psn
        nl	myp
        nn	kapeooninym
        no	nwptp n,i:g
        ns	pikujwj
        nt	m pemilakskrklk.j!i
        nu	pmpto
        ny	n ptnwlmj
        o 	pclblmkykgk8kdkrjljojnjuikh6f
        o.	pul
        oa	pdo
        ob	pin m.jbj,i
        oc	pkptm
        od	pamyl
        oe	msp
        of	j pfl
        og	pglil
        oh	l p,m.lnl
        oi	lnpck
        ok	o pin.mamsk
        ol	pdn m.j,h
        om	nep npl
        on	o peollsl'l.knjijaj,i␃ifh
        oo	pdoknll
        op	peo o.j
        or	o prmtlkldknk.kgjmj
        os	ptpepsn
        ot	o p
        ou	n prntmllgk.i'i,g’d
        ow	m pnm.lsj!j,j?j␃i'h
        pa	proymil
        pe	prpnocnamom
        ph	oop
        pi	pcoelrl
        pl	nepapynslzj
        pm	m p␃o.nxm
        po	psnrnimlmbk
        pp	peoynmm
        pr	popio
        pu	ptpbm
        qu	kipeoam
        r 	palmlckfkpkokdjljnjrjui2h£hvg
        ra	ptmilclwkgizh
        rc	phpvm
        rd	pemsl
        re	n pansleldlpkckmjfh'gqf
        rg	oep
        ri	pengmclvlzkakbjpj
        rl	pyodnin
        rm	p oaosm
        rn	pioen
        ro	pmowmolblpkcjjh
        rr	oypinon
        rs	n ptnen.m␃j
        rt	pakskyj.juj
        ru	pnnemglmk
        rv	oip
        ry	m piktj␃h
        s 	palokfjnjliuivg
        sa	pioyogmmmwlfj
        sc	prn
        se	pnmemlldlcj
        sh	pon m-g
        si	pdlrlolgkbj
        sl	pepyn
        sm	psoin
        sn	p'n’j
        so	p pmorn
        sp	oepon
        ss	n pinenam.l!j
        st	n panemimrluk.j
        su	prppnbnmlalil
        sw	oep
        t 	ptnimalmlhloldkfkujnjljri⇪ikhvg
        t'	isp
        t.	n p␃n
        ta	pkolnrnclil
        tc	mhp
        te	prodmlmxlmj3g
        th	nepim lkf
        ti	poomnlncl
        tl	lepyo
        tm	pro
        to	n pokpkdj
        tr	oapyouoioon
        ts	m p.k&h
        tt	mepiolnalyl
        tu	orpanfmdl
        tw	oop
        tx	jtp
        ty	n plkpk
        u 	panwmsmhmcmdlglllkkrknj
        u'	prpdl
        ua	nlpro
        ub	psolo obl:j
        uc	mhpkotl
        ud	pendm
        ue	pso
        uf	ifp
        ug	mhp
        ui	ptpzl
        ul	odp mtl
        um	pbp omn
        un	pdptncmnmslil
        up	o p.k␃j,i
        ur	n psknkgj
        us	ptpeoik
        ut	n p.i/e
        uy	psn
        ve	n pro
        vi	pcmeldl
        vo	pupip
        w 	palmkvg
        wa	psoynil
        we	pemll'i
        wh	paponym
        wi	otplo
        wn	m pll.k
        wo	prpnn
        ww	j.pwp
        xt	n psk
        xx	oxp␃n
        y 	pdjljfjojnirh
        ya	p n,l
        ye	oapsptn
        yi	inpji
        yo	iup
        ys	o p
        yt	mhp
        ␃a	plmil
        ␃d	popum
        ␃g	ooprm
        ␃h	peponmk
        ␃i	m p'mtm
        ␃l	oop
        ␃n	mop
        ␃o	okpho
        ␃s	pophoum
        ␃t	mhp
        ␃w	ohpeo
        ␃y	iopeoulal
         . 	p.l
         ..	l.p
         a 	plkbkwjdi
         ab	moptk
         ac	mcptorl
         ad	pdpvnmn
         ag	oap
         al	prmwlslojmi
         am	m p
         an	mdpym
         ar	mepok
         as	m pko
         at	j ptk
         aw	lap
         be	p pentmlk
         bl	paooo
         bo	ptlrksj
         bu	psk
         ca	pnosk
         ch	oapinrk
         co	pmpunsl
         da	ptlrldk
         de	paocnlmsmtmvl
         di	pdpsork
         do	poh.hch?e
         ea	prptp
         en	pdojnomvk
         fe	oepwn
         fo	pujoilh
         fr	peoin
         ge	ltp
         gi	lvprofl
         go	pimnk
         ha	mvpdmplslrkijfg
         he	prpanlm'j
         hi	pmpgk
         ho	pwpmolmtk
         i 	psktkmjfirh
         if	f p
         im	pppmn
         in	k ptlsjvicifiqe
         is	k p
         it	i psl'k.k,i?h!h
         ke	neppl
         ki	plnsndncm
         la	ptormuldl
         le	paptpfm
         li	pkptmvl
         lo	pvormnl
         ma	pnnknrmxi
         me	o palel
         mo	pmjtjdi
         ne	nepwovnxmtl
         ni	ngpco
         no	ptp nkk.h
         on	n plncj
         or	m p2g
         ot	fhp
         ou	gtprn
         pa	pslpkujgi
         pe	nrpon
         pl	oapsmul
         pr	penak
         re	nappncmsmmmgklktkjg
         ri	ogp
         ro	pooam
         sa	piotlvj
         se	pepnpcmamtlxk
         sh	oepop
         so	pmook
         st	mapopiornun
         su	pnlck
         ta	nkplnxi
         te	oxplpam
         th	jepamimrh
         ti	nmprk
         to	m pmilh
         us	nep pul
         ve	mrp
         wa	ospnotm
         we	p plnrm
         wh	pen
         wi	plofi
         wo	mrpnnun
         yo	eupgd
        ! y	p⇪o
        'll	a p
        're	a p
        've	a p
        , i	o p'n
        , m	oyp2j
        ," 	ospho
        . b	pup
        . i	n p'mfl.i
        . t	pejxj&i⇪i
        .. 	p⇧phkbk␃iüh
        ...	n p␃o
        .co	emp.o
        087	n1p
        0pp	lmp
        150	npp
        a b	pin
        a f	pem
        abo	jup
        aga	jip
        age	o psn.l
        aha	o p.o,m
        aid	m p
        ail	p osn.m
        ain	p p.msm,k
        air	p p
        ait	pio
        ake	l psl
        all	pymekiisi
        als	nop
        and	l p
        ang	meprlik
        ant	n pem
        are	m p
        aro	lup
        ase	m p
        ash	o p-l
        at 	pakwkdkykcj
        ate	p osm.kvj
        ati	nopvk
        aus	lep
        ave	l p
        avi	mnp
        awa	orpyp
        ay 	ptmimol?h
        bab	oepyo
        bac	hkp
        bat	ohp
        bea	pup
        bec	nap
        bee	jnp
        bei	enp
        bel	pip
        bes	mtp
        bet	mtpwn
        bil	mep
        ble	o pmm
        bod	gyp
        bou	jtp
        bre	lap
        bus	pyn
        but	i p
        cal	klp
        cam	mep
        can	m p'l
        car	peo
        cas	nhpen
        cau	ksp
        cco	nup
        cha	pnprpik
        che	pcodnsnem
        chi	plnkl
        cho	nopim
        cia	mlp
        cla	mipso
        clo	osp
        col	olp
        com	ppnilmk␃i1f
        con	otpdnsnfnvmcl
        cou	nlpnopl
        cte	kdp
        cti	nopvl
        d b	pym
        d i	pnn
        d o	pun
        d t	poo
        dea	orp
        did	j pno
        din	mgpnm
        dis	pcntn
        do 	pyn
        don	p'oto’j‘h
        dow	knp
        dra	nwp
        dri	lvpno
        dun	j pno
        e i	psono
        e m	pepapop
        e s	pam
        e t	poprkikek&g
        eac	lhp
        ead	pyo
        ean	p pso
        ear	p plnsncl,k
        eas	nepolyl
        eca	lup
        ece	pip
        ect	p oen
        ed 	ptnammkfj2i
        edi	ptpco
        eel	n pin
        een	k p
        eep	m pil.k
        eet	pim
        eir	n p
        ell	polikek,k
        els	oep
        eme	nmpnpdo
        ene	odpro
        eon	lep
        eop	jlp
        epl	kypil
        er 	ptlikwk⇧kskhk
        ere	l pdl.k'j,i?h!g
        eri	pnooofm
        ers	pol
        et 	palukyk
        eth	nip
        eve	mrpnn
        f t	mhp
        fee	mlp
        ffe	nrp
        ffi	kcp
        fin	mdpioenan
        fir	mspml
        for	m pgkwh
        fre	lep
        fri	lepdl
        fro	jmp
        fte	lrp
        ful	m plo
        g i	pno
        g t	oopvj
        gai	fnp
        gen	mtp
        get	n p
        gir	elp
        gon	onp
        goo	hdp
        got	j ptk
        gre	lapem
        had	j p
        hai	nrp
        hal	pfo
        han	okp ogncmxm
        har	pdpgo
        has	m p
        hat	k p'jsi,g’e
        he 	psnwmclplblmldlhllkrkgk
        hea	nrpdo
        hec	kkp
        hel	ppo
        hem	n p
        hen	l p␃h
        her	pep
        hes	peoil
        hic	nhp
        hil	oepdp
        him	l p.lsl␃j
        hin	lgpkn
        his	j p
        hom	jep
        hon	lep
        hop	nep
        hou	olpgpso
        how	m pej
        hur	ntprn
        i a	nmp
        i c	oap
        i f	pep
        i h	nap
        i w	mapioon
        id 	pyl⇧lul
        ien	ndp
        if 	pyounim
        ife	m p.m
        igh	ktp
        ike	l p
        ile	p p
        ill	l pij
        in 	ptnamck
        ine	n psm.mdm
        ing	m plf*c
        ini	psp
        int	pepop
        ion	m psn.mal?i
        iou	jsp
        irl	o psn
        irs	ltp
        is 	ptlilmk
        ish	p p
        ist	peomk
        it 	pwmcj
        ite	o p.m3k?k
        ith	m p
        iti	pnp
        itt	olp
        ive	n p
        jus	ktp
        ke 	ptmamil
        kee	jpp
        kin	mgp
        kno	hwp
        l b	nep
        l m	pep
        lac	nep
        lai	nmp
        las	mtpsp
        lat	mep
        lea	ospvn
        lec	gtp
        lee	kpp
        lif	mep
        lin	pen
        lis	otp
        lit	mtpym
        ll 	ptlblmlhkcj
        lle	odpcorogm
        lli	onp
        llo	owp o!l
        lon	ogp
        loo	mkp
        lor	o.p
        lot	psn
        lre	dap
        lwa	dyp
        m i	pnp
        mad	nep
        mai	nlp
        mal	p&m
        man	p pyo,l
        mar	prokncn
        may	pbo
        mbe	erp
        me 	ptmamwlokbk
        mea	lnp
        mee	dtp
        mem	kbp
        men	ntpuj
        met	mhpil
        min	pdnumsl.k)h
        mis	lspel
        mob	nip
        mon	peptp
        mor	lepnorn
        mos	jtp
        muc	bhp
        my 	plmsmflclhlpl
        n t	ohp
        nam	lep
        nd 	pilsk⇧kdi
        nde	nrp
        nee	idp
        ng 	ptmikhjdi
        nge	p prp
        ngr	pyp
        nin	jgp
        nis	mhp
        nit	mepyn
        nna	k pik
        nne	nrpcm
        not	k phm
        now	m p.l!k
        nta	pco
        nte	mrpdonnen
        nut	kep
        obi	ilp
        oes	j pno
        oin	mgptm
        oki	pao
        oli	pdp
        oll	mepanon
        ome	n ptmokbi
        on 	ptnalmkfk0k
        ond	pen
        one	n pyl.k
        ong	prl
        ont	phmam
        ood	m pmj
        ope	p p
        or 	ptmamskyk1h
        ore	n p.k
        ose	o p
        ot 	palsl
        ou 	pwltkmj
        oul	idp
        oun	ldptn
        our	j psl
        ous	p olm
        out	l psj␃h!h
        par	otpkm
        pas	msp
        pe 	pyoum
        pea	okp
        per	psnalfl
        pho	inptl
        pla	ncpypno
        ple	nap o
        por	ltp
        ppe	nnpdo
        pre	psptm
        pri	pzono
        pro	pbovl
        rai	onp
        ran	pgoto
        rat	peoumsl
        re 	pymtlilok
        rea	nlpdptpcnmm
        rec	peo
        red	pil
        ree	o p.k
        rem	oepin
        rep	nlp
        res	pelpluj
        rge	pno
        rie	nnpdo
        rin	lgpklcl
        rio	nup
        rne	odp
        rni	jnp
        rob	olpap
        rom	j pik
        roo	mmp
        rou	mnpgobl
        row	p␃l/k
        rro	lwp
        rse	plp
        rth	o pdo
        rvi	mcp
        s i	pnoso
        sai	idp
        sam	mep
        sch	oop
        sec	oopro
        see	n pmm
        sel	ofp
        sen	odp
        ser	nvpin
        sha	plpkm
        she	m pdl
        shi	ptoporm
        sho	puo
        sid	gep
        sin	mgpcm
        sle	mep
        som	fep
        soo	lnp
        sor	krptm
        sou	onp
        spe	ocpao
        ssa	lgp
        sse	odp
        st 	pskwkckgk1i
        sta	prpnoyn
        ste	prpnnpk
        sti	plp
        sto	npprnmm
        sup	nppen
        sur	meppl
        t i	psnnn
        t m	peo
        t t	pooilej
        tac	mtp
        tal	pkp
        tar	ptp
        tel	mlpyn
        ter	o p.lnldjmj
        tex	dtp
        tha	htpnm
        the	n pykmjih
        thi	inpso
        tho	mupsm
        tif	mupip
        tim	kep
        tin	mgp
        tio	gnp
        tle	o p
        to 	psltl8lgkhkrjpi
        tod	iap
        tom	oop
        ton	nepio
        too	p p.m
        top	n p␃k
        tou	pco
        tte	nrp
        tti	jnp
        tur	mnpepbmdl
        two	o p
        u a	pro
        u h	lap
        u i	lnp
        uar	oap
        ugh	p o␃j,j
        uit	nep
        unc	phpln
        und	penrj
        ure	n p
        urs	oep
        use	n pdm
        ust	l p
        ut 	pimwknj
        ute	pso
        ve 	pamtmylblmk
        ven	pim'k
        ver	pyo
        wai	etp
        wal	pkp
        wan	ltpnl
        war	ndp
        was	k p
        wat	pcp.m
        wee	nkp
        wel	klp
        wen	mtp
        wer	nep
        wha	dtp
        whe	inpro
        whi	ncplo
        who	n p
        why	k p
        wil	jlp
        win	p onm1k
        wis	nhp
        wit	ihp
        won	pdntn
        wor	okpdnlm
        wou	hlp
        xt 	p⇪mml
        y i	psnnn
        yea	hhprp
        yin	jgp
        you	g prm.i'i,g?g!g␃f
        yth	iip
        ␃ha	phn
        ␃he	pyoln
        ␃hi	o p
        ␃lo	nlp
        ␃no	p p.mpl
        ␃th	pan
        """#)
}
