extension LanguageModel {
    static let vietnamese = LanguageModel(
        #"""
        	m pnnhmimtmcmglakmkđkàkujojlj⇧jyjôjrjưjbjkiviói␃iáisiếhphehìhảhấhạhờhêhâhớhốgộgậgdgúgơgxgqgãfòf0fíe2eũe1eăe.eéeùeĩdýbèa⇪a
         	otpcpnođolnmnbn⇧mvmkmsmrlpkdkqkxkej2hởh1g:f5e4e+d3djd9d8d
        ,	h p
        .	p.m␃m1l
        0	p0n␃n3l7l8l9l1l5l6k4j
        1	p0p2o5o7n1n8n9n.m6m4m3m
        2	o0p2m.m3l1l9l4l6l8l5l7k
        3	p0m9k3k5k/j
        4	p5m0l.l
        :	p-m)m(m4l3l
        a	l pnoomyliluk
        b	pioànamịmạmốmảmêmámélắlỏkâkấkởjằjọjệj
        c	phpómủlálolôlảkũkòkậiứiầiùhửh
        d	pạlưlolùkậkâkịjẫjựjụiầiừiễiõh
        e	pmpol
        g	m pilưkìj␃iọgặgủfầfồfắe
        h	pônimưmomảlàlìlalukúkếkấkákekơjỉjữjứjậjíjắjểjỏjọiâiạiĩiầiồiéiịiẳiòhủhăgụgỗgợgổfởfựfẹfềfằf
        i	m pếkềjệj␃iêiờhểhữe,dọd
        k	mhpểhẻgỳgịf
        l	pàpạnêlúlắkờkấjầiòiỗiẽiặh
        m	n pàmộmẹlakìkukớjấjọiắiặiởhỗgừf
        n	mgp ohoókữgăfằe
        o	m pnnàjại␃i
        p	khp p
        q	dup
        r	pồoaoinonưmấlêlờkằkảkởjăjẻiõiắiọiừh
        s	papẽnốmợlựlálắjứiửh
        t	ohp prnômamìjừjớiốiựhígụfỉf
        u	n pymốlalâjájội␃iỷhổhồhầgýgỳg
        v	pàpớnậnềnẫmìlừkợiịiụiọiẻi
        x	pepuoinanom
        y	h pệkêj␃iếhểfềf
        à	l pymnmomml
        á	pcpipnoolplul
        â	fnpypupmm
        ã	m pyl
        ê	jnpulml
        ì	j pnpmk
        í	pnpco
        ò	lnp
        ó	l pim
        ô	nnpio
        ù	onpam
        ú	onpcopm
        ă	fnpmo
        đ	pipưpâoóoãoếnanểmámấmầmộlứlồkềkúkừkịkổjặjợiẹiủi
        ũ	lnp
        ơ	nnpio
        ư	pờpợoớnơnanởk
        ạ	nipnoyk
        ả	pipoonnmm
        ấ	myptopj
        ầ	enpuoymmm
        ẫ	lnp
        ậ	nyptpunpn
        ắ	gnptpmocopm
        ằ	fnpmn
        ặ	ptppo
        ẹ	l ppk
        ẽ	g p
        ế	otpnpumpl
        ề	k pupnp
        ể	m pul
        ệ	nnptmcm
        ỉ	m p
        ị	o p
        ọ	oipnocn
        ỏ	pip
        ố	onpintm
        ồ	lipnn
        ổ	pio
        ỗ	pip
        ộ	otpim
        ớ	oipcn
        ờ	nipnm
        ở	n p
        ợ	ocp
        ủ	nap
        ứ	n pcnal
        ừ	onpan
        ử	oap
        ữ	mnpao
        ự	l pcn
        ␃	o⇧ptmcmmlđlbkvjkjei
         a	knpim
         b	puhóhưhìhộgậgèeứeầe
         c	ohpómủmálolảkũkuiâhơhốgổe
         e	imp
         g	mipìnọkặkájầj
         h	pamimơlọlàlỏlồkạkãkộj
         k	pijuiếgígẹe
         l	pàpạnilojujớjáiậhýhựgễgệg
         m	pàoộoẹnìmumớlắlọkákưkạkơiãiùhệg
         n	phpónàmữjêjajếiăiưiơhổgỗfắfửf
         p	hhp
         r	pồpaoấm
         t	nhprnômamiluiấiưiạhohâhêgậgửfứfầeắe
         v	pikuhôhộgệf
         y	nêp
         đ	pôgêgạfefờfốfọdỡdèdỏc
        a 	p⇧khjah
        an	php
        ao	j p
        bi	mếp
        bố	m p
        ch	ponún mumỉlếlứkíkịjẳjặg
        co	jnp
        cá	pip
        có	b p
        cô	m p
        cả	m pmn
        cậ	jup
        em	f p␃i
        g 	pnlhjgi
        gh	pepĩp
        gi	oờpaoúnámảmữmàlólấlọlậlốkỏj
        gà	nyp
        gì	g p␃j
        gư	kờp
        ha	pyoioun
        he	m poo
        hi	pếoềnênệnểmnm
        ho	pakảkặh
        hu	oyp
        hô	lnpmj
        hư	p pno
        hế	itp p
        họ	p p
        i 	pnl⇧khigi
        in	nhp
        iể	nupmo
        iờ	j p
        kh	môpimákójẽh
        li	oềpnm
        là	i pmn
        lú	hcp
        lạ	lip
        mu	mốp
        mộ	itp
        n 	pnl⇧jgihi
        ng	l phjàhog,c
        nh	n pưmàkữkới␃h
        nà	hypoo
        nó	oip
        on	j pgp
        oà	jnpip
        ph	pảpòmụk
        qu	oapáoânỷmảlêk
        ri	mnp
        ro	knp
        sa	mopun
        ta	l ponym
        th	pìmấlểlếlảlậkứjầjờjêh
        ti	oếpno
        tr	pinonưmêlákìjuj
        tô	gip
        từ	n p
        uy	oệpếl
        vi	oệp
        và	poo
        vậ	kyp
        về	i p
        y 	plk⇧kgjhi
        àm	g p
        ào	j p
        ác	o p
        ân	l p
        ên	i p␃i
        ìn	nhp
        òn	o p
        ôi	i p
        ôn	jgp
        úc	j p
        ún	egp
        đa	mnp
        đư	mợp
        đế	gnp
        ũn	bgp
        ưn	bgp
        ướ	ncp
        ại	k p
        ất	i p
        ần	j p
        ẫn	f p
        ật	i p
        ắc	g p
        ắt	i p
        ến	n p
        ết	d p␃j
        ền	i p
        ều	h p
        ện	m p
        ồi	j p
        ột	e p
        ớc	i p
        ới	e p
        ời	i p
        ợc	j p
        ủa	a p
        ữn	bgp
         an	jhp
         ch	pijáiắhạhâhỗgờg
         ng	nưphoànomalủkukồkờiạiãi
         nh	oưpàninữnìmamấlậkâkékắk
         ra	i p
         th	pưjuieiâhựg
        anh	h p
        biế	ktp
        bà 	pấn
        cho	f p
        con	h p
        gườ	aip
        hìn	n p
        inh	i p
        khi	n p
        khô	fnp
        như	e pnp
        phả	hip
        thì	c p
        thô	mip
        thả	lop
        à n	pin
        ách	j p
        ình	j p
        ông	h p
        đan	ggp
        đượ	acp
        """#)
}
