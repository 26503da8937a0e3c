extension LanguageModel {
    static let hebrew = LanguageModel(
        #"""
        	l pיnוnהnתmלmאmרmשmמmבlנlעkדkםkחkכkקkפkסjןjגjזjצj␃j.jטiךi,g0f1f2f⇧e⇪e
         	pהoאoלoמnשnבmעlכlזk(h2g1g"f⇪f⇧f:f3e5d4dpd9d+d-d7d6c8cac‪a
        )	k p␃n.m
        ,	c p
        .	k p␃n.k
        0	p0n␃m7k3k9k8k5k6k4k
        1	p0o2n1n5m9m7l8l6l3l4l
        2	p0o3l9k4k8k7k6k5k
        3	p0m9k5k4j
        4	p5l8j6j
        :	p)l-l(k3kdk4k
        a	ppmmmrmtmlmsmclnl
        e	pnlslrlelpkdkxk
        i	ppnnmdltlak
        l	pilelak
        o	pnormdmmlslpl
        p	plmelhlrktkakik
        r	plnomemimgl
        s	pslektkokck
        t	pelmlolikpkhkrk
        ־	p⇪l⇧kii
        א	pתnוnיmנlחkםjפjףe"d
        ב	pוnיmרmלlאlעkדkחkסjץjטjצj־g
        ג	pיnוmרmדl'h
        ד	pיnוmרmעlפkףk
        ה	p oעjזi.iגi,g־f/e!d:c)c
        ו	pתnרmלlבlדlנkןkסjצjגiטhףfץf
        ז	oהpוnמmרl
        ח	pיnוnרmדmבlזlסkץg
        ט	pוnיnרlקk
        י	pםmתkנjקiכiןiדiצhךhטgףe־c
        ך	j p.i
        כ	pוoלnתmיmןmדlנl
        ל	p oהnאnיmךlחjעj־g
        ם	g p.j␃i,h
        מ	pוoשnהnיnתmסmחlצlעlקlטkןk
        ן	j p.i
        נ	oיpוoהnתlסk
        ס	pיnפmוmטlדkףj
        ע	pלnוmרmםlבlדk
        ף	l p
        פ	pרpוoיoשoעnתnנmסl
        ץ	l p
        צ	pוpיpהoרnאnעmגmטl
        ק	pוnיnבmרlטkסk
        ר	p pיoוnתmסkגjךjףf
        ש	pלnיnוmתlרlבkםj
        ת	o pוlחiקi.iןi,g)c
        ␃	pהnלmמmאlכk$g
         א	pתoנmחlלkבkזi
         ב	pאlמlעkסkשkתkכjקj
         ה	pמpוpיpאoתoזoשoעnקnרnנnחnפnדnגnבnכmסmצl
         ו	pלmאmהm
         ז	oהp
         י	pוpשoכnדl
         כ	pלnדmמmאlבkךj
         ל	pאoהoמmשlעlבlפkקkכk
         מ	pהlאkמjדjכiפi
         נ	pמkכkאkשj
         ע	pלoםm
         ר	pוoקnשn
         ש	pלpאlהlמlנlגj
         ת	pוnמmיmקlגlצk
        א 	pנm
        אב	oלp
        אה	m p
        או	oתp oטkפk
        אז	o p
        אח	oרpתl
        אי	pנmןmשl
        אנ	mיpחl
        אפ	nשp
        את	k pהmרl
        בו	pרmצm
        בל	p pתn
        בס	pדp
        בק	pשp
        גד	oרp
        גר	pסp
        די	p o
        דע	o pתnהn
        הו	pאoסnדn
        הי	pהoוoיoאo
        הר	pשoאnחm
        הת	pחmקmאl
        וא	p p״i
        וב	p oץnתm
        וד	p oעoהm
        וו	pיoחm
        וח	p p
        וי	p oקnיn
        וצ	pהp
        וק	p p
        ור	p pדk
        ות	m pרk.jךi␃i
        זה	m p
        זמ	oןpנn
        חד	nשp o
        חו	pקmשlץl
        חי	pיnלmפmקl
        חש	mבp
        טו	pבoמnחm
        יא	o pהo
        יה	n p
        יו	pתpםk
        יי	pםoתnןmבl
        יכ	oוpהn
        ימ	pוpהoתo
        יר	pתnהm
        יש	n pוoהm
        ית	pןmיl␃j
        כא	oןp
        כד	lיp
        כו	oלpתoןm
        כל	n p
        כת	pוo
        ל 	pהn
        לא	m p
        לי	p o
        מה	n p
        מו	pנmדlשk
        מס	pפoנmךm
        מש	pתo o
        נא	m p
        נה	n p
        נו	o pתoיnסmכl
        נח	oנp
        ני	p pתnסj
        נת	pוo
        סי	pמnסmףl
        עב	mוpרo
        עד	pכn
        עי	pצnלn
        על	o p־k
        ער	pיpכpךn
        פר	pיoטmסm
        פש	nרp
        קב	nוpלoצo
        קו	pבnדmםl
        קי	pשnיm
        רא	pשnהn
        רה	l p
        רו	pתoצlךkפk
        רי	pםoכnךlטl
        רק	m p
        רת	l p
        ש 	pלoבn
        שה	pוn
        שו	pרoנlםlטk
        שי	pמnנmחk
        של	p pךo
        שת	oמp
        ת 	pהnתjקiחiדhסh
        תה	l p
        תו	pבmנmכmךk
        תי	p p
        תמ	mשpוn
         יו	pדn
         לה	pיnשmתmצkפk
         ני	nתp
        אות	pוnךmיmהlםk
        אני	g p
        את 	pהp
        די 	oלp
        וני	pםp
        כתו	iבp
        ערי	jכp
        קוב	kץp
        תמו	kנp
        תן 	mלp
        """#)
}
