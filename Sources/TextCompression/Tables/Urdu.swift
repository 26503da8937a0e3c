extension LanguageModel {
    static let urdu = LanguageModel(
        #"""
        	k pاnیnہmکmےlوlرlمlنlتlسlلkںkبkدjھjجjپjعiگi۔iقhئhحh␃hفhشhچhخhآhزh،gصgٹgطgضfڑf.e0e⇧a⇪a
         	oکpہoاoمoسnبmتmنmپlجlدlآkگkچk،kعjخjحjشjفjقiطiصiڈgغg2gذf1f:e؛eظeءd5d9d'c+c
        !	i p␃o
        .	p.p␃n1l
        0	p␃m0m5l1l7l3l8l2j9j
        1	p0n7n2n1m5m6m9l8l
        2	p0o4m1k9k3k7k
        3	p5l3l4l9k1k2k
        4	p5m0l6k
        5	p0m.l1l4k
        9	p3l5l2k9k6j
        ،	b p
        ؟	h p␃o
        آ	pپpجlئl
        ئ	oیpےpلl
        ا	p pنnسnرmلmتmمmوlئlبlدkحjفjقjزjصiضhؤgظfءfغdثd
        ب	pاmھmرkدiڑiغe
        ت	p pاnھnےmوmمmعkحjظf
        ج	pاoوnھmمlبkذh
        ح	pاmکlبlقkثi
        خ	pوoاnتnلmصkطk
        د	pیnاmوlرkلkگi
        ذ	pہo
        ر	o pیnوmہlتlےkفjحi
        ز	pیn
        س	pےnیmاmتmبkلk
        ص	pلoاoرnوnدl
        ض	pرn
        ط	pرnوl
        ع	pلnاnمmدlتlظiثh
        ف	p oرmظg
        ق	pاoیnتnدmوmبlعl
        ل	p pیoاoوmےmئkگjقjطi
        م	pیoاmلkجjعjحiذhقhثeظd
        ن	p pےnہnاnدlگkظjڈhِf
        و	p oرnںmئjگjدjقjشiٹhڑgظe
        ٹ	pھoیnرm
        پ	pرnنmھkڑi
        چ	pاoھoلm
        ک	pیpےoاoوnرnہmھmچj
        گ	pیoاoرnئlھkزj
        ں	f p۔j␃h،g؟g!f
        ھ	pیoاoےnوmرm
        ہ	o pےpیoوnمlيe
        ی	p pںoاnکmشhڈf؟e
        ے	f p۔k␃i؟f!f
        ۔	c p␃n
        ␃	pاnتlمlآj
         ا	pسpیoوoنoپmگjعjخjچjٹi
         ب	pاoھoہmنmعkحkچj
         ت	pھoوoمnعmرl
         ج	pاoنl
         د	pیpوnنl
         ر	nہpوnاnکm
         س	oےpاnکmبmوlمkفi
         ل	oیpئnوmگmڑk
         م	oیpعlجkسkنkوkحjقjخiطiشi
         ن	oہpےnظkئi
         و	oہpاoقmجl
         پ	pرpاnیnہn
         ک	pےnرmوmہlسj
         ہ	lےpیnوnمl
         ی	mہpقi
        آپ	i p
        ئی	n p
        ا 	pہnجjچjرj
        اب	o pلl
        ات	o pھn
        اد	p oہn
        ار	pیmےm
        اس	n pتm
        اع	pتp
        ال	p oلl
        ام	p pنl
        ان	o pیlسlتl
        او	mرp
        اپ	mنp
        اک	pسpثj
        اہ	pتnرmلlشj
        ای	nکpسl
        با	pتoرn
        بھ	mیp
        بہ	oتp
        ت 	pکoسl
        تا	o p
        تر	pقmجm
        تم	n pہn
        تو	n p
        تھ	oاp o
        تی	n p
        جا	pنoتnئnؤl
        جھ	oےp
        حک	mوpمo
        خو	pاpشp
        دا	pرn
        دو	pسo
        دہ	k p
        دی	pکnتmنk
        ر 	pدjپjرjزg
        رن	oےpاp
        رک	pھo
        رہ	pاn
        ری	p pخl
        س 	pکo
        سا	pتnنn
        سب	k p
        سو	pاpچm
        سک	mتp
        سی	m pاn
        صا	oحpفn
        طر	oحpفo
        عا	pمoشm
        عل	pمnقn
        عم	pلpرn
        فی	pصn
        لا	pمmقlفlحlشk
        لو	pگo
        لہ	k p
        لی	pےn
        ما	pرnعlجk
        مج	lھp
        مس	pئoلn
        می	mںpرl
        ن 	pکoلj
        نا	o p
        نہ	mیp
        نی	o p
        و 	pاmگkرj
        وا	pلnزlبl
        ور	n pتl
        وس	pرo
        وہ	m p
        پا	pکn
        پر	m p
        پن	pےpیo
        پہ	nلpنn
        پی	pدnشnغk
        چا	nہp
        کا	m pمl
        کت	oاpےo
        کر	pنmتm
        کس	oیpتo
        کو	l pئmمk
        کھ	pتmنlڑj
        کہ	l pاl
        کی	l pاnوk
        کے	d p
        گا	o p۔n!i
        ھا	o p۔l
        ھی	n p
        ہا	oںp p
        ہم	n pاn
        ہو	p pںoتn
        ہی	mںp
        ہے	p۔n␃l؟i.g
        ی 	pہlتkرiطhقhضg
        یا	n pسmدl
        ین	o p
        یو	oںp
        یک	l pھmنk
        یہ	k pاl
        ے 	pہmلkبkجjوhزg
        ۔ 	pاnیk1k:i0i5i;g
         بی	pٹn
         تا	pرp
         تھ	mاpےn
         می	lںp
        ا ہ	nےp
        اتھ	i p
        اور	i p
        ایک	d p
        تا 	lہp
        تی 	oہp
        تے 	mہp
        دیک	jھp
        سات	jھp
        سیا	lسp
        وں 	pکp
        کیا	f p
        کے 	pلmسlحj
        ہیں	p۔m␃j.f
        یاس	hتpیo
        ے ک	pہn
        ے ہ	nیp
        """#)
}
