extension LanguageModel {
    static let persian = LanguageModel(
        #"""
        	k pاoیmمmنmرmدmهmوmبlتlکkسkيkشkلkزjخjگjفi␃iقiجiعiچi‌hپhحh،hآh.hطg؟gصg0f1e2e⇧a⇪a
         	pبnمnکmدmتkخkشkسjچjپjآj،iفiجiحiقiعhصg2f1fكeغe:d9c5c3c4b+bضb7bذb8b6bظbثb
        !	l p␃o
        .	l p␃o.l1i
        0	p␃n0n7l9k3k8k4k6k5k
        1	p0o2n1n5n9m6m8m7m3m4l
        2	p0p2m9l4l1l3l8l5l7k6k
        3	p0n4k5k9k3k7j
        4	p5m6k8k7j/j
        :	p(n)n-n0m4mdm3m⇧m
        ،	j p
        ؟	g p␃o
        آ	pنnیnرm
        ا	pرmیmنmزlسkلkشkيkقiفhحgًfضdغdئdَcثb
        ب	pاoهoرnیmوmگjخjزjعiذfَe
        ت	p oوnرlمl.j␃i؟iغfظf!e
        ث	pلo
        ج	pاpوn
        ح	pاnتmرmسlقkظiضh
        خ	pوpتlصi
        د	o pاoرnهnیmوm␃kيk.k؟k!g
        ذ	pاp
        ر	p pاoوnدnیmسkفkضf
        ز	p pیmنm
        س	pتpیlفiئe
        ش	pتmدlهlمlوlکjغe
        ص	pدmلlبlحk
        ط	pوnرmفm
        ظ	pرo
        ع	pدkتkلkضhثgذf
        غ	pذk
        ف	pتnرnکlقkظh
        ق	pتlدkطkعkضg
        ل	p oاoیnيlطk
        م	p oیnنmيl.i␃i؟hثg!eئd
        ن	o pدmمmیmهlيkجkگjظh
        ه	n pمl‌iٔb
        و	p pنoدnرmلlشkسkزkقjجiضhغeئe
        ي	p pنmدmکkزjكe
        پ	pیnرnسmيkذh
        چ	pهnیnيmطk
        ک	pنoهnرnسjجi
        گ	pرoهnیnوmفlيlذl
        ی	p pنnدm‌lکkشjسjزjگj؟h
        ‌	pهnکmتlشlگkخk
        ␃	pاoمnبlآlچj
         ا	pیoوoزoسoيnمmگkحjصi
         ب	pاoهoرnدlگkيjچi
         ت	pوpاnحjعjصi
         خ	mوpاlیlبkيkطh
         د	oاpرoوnسlلjقi
         ر	nاpوpفlئg
         ز	pنoمnدm
         س	pاoرnوmلl
         ش	pدoمnرl
         ف	pرpکoقnضi
         ق	pرnبl
         ل	pطoبmحlذi
         م	oیpنoيnاnوlرlعjحjثj
         ن	pمnهmگlوlشkکkبkظkفjقjزj
         ه	mمpاnسnرmیlنkيkفj
         و	m pاmقlجj
         ي	oهpکn
         ک	pهnاmمjشjلi
         ی	lکpهoاn
        آر	pهp
        آی	nاp
        ا 	pبmاlرkنj
        اب	p oلk
        ات	o pفl
        ار	pیmهmمlيj
        از	n p
        اس	nتp
        اش	pتoیm
        ام	p oهlلk
        اه	pیlاlدl
        او	oنp p
        اي	pنpيl
        ای	pنoیl
        با	p nشm
        بر	pاoگj
        به	k pتkشj
        بو	nدp
        تا	p oدlبl
        تم	o pاo
        تو	p pاn
        جا	p pمm
        حا	nلp
        حر	oفp
        خا	pنoطn
        خو	nاpدoبnشl
        خی	oلp
        د 	pاlوkرk
        دا	oرpشmدm
        در	o pسl
        دم	n p
        دو	pنoسn
        دی	pگnدmمl
        را	p pیm
        رد	p oمmنm.l
        رف	nتp n
        رم	o p.l
        رو	o pزmیlعj
        سا	pلnعl
        ست	p p.l؟l␃k
        شت	pهm
        شد	pهoنl
        شم	oاp
        طو	mرp
        فق	nطp
        فک	kرp
        ما	p pنn
        من	m pوk
        مي	pکmشlخlتkگk
        می	p p‌oشlخj
        ن 	pاlرkنj
        نا	pمm
        ند	p o␃lگk
        نم	o pيm
        نن	nدp
        نه	k pاm␃i
        ني	pسmمm
        نی	pدmسmمl
        ه 	pاlرjهjنj
        ها	o pیp
        هس	eتp
        هم	p pهn
        هی	pچoدn
        ه‌	pاoیn
        وا	pنoهnسmقlبl
        ود	o pمmتkشk
        وق	oتp
        ون	p pهm
        يم	l p
        ين	n pجl
        پس	m pرo
        چی	pزo
        کا	oرp
        کر	nدp
        کن	pمoیoيmنm
        که	g p
        گا	pهp
        گف	bتp
        گی	pرo
        ی 	pکlاlخkتkرjنjگi
        یا	p oدm
        ید	p p؟m،j
        یم	o p␃l
        ین	n pجk
        یک	o pیl
        ‌ه	fاp
        ␃ا	pوpیp
         اي	lنp
         ای	mنp
         را	l pهk
         ند	lاp
         نم	mیpيo
         چي	pزo
         گر	pفo
        باش	pهo
        بای	lدp
        برا	nیpيm
        توا	iنp
        خوا	pهpمm
        دار	pمnدm
        داش	kتp
        رای	m p
        فکر	k p
        می 	pکnخnتn
        های	m p
        هست	pمpنoیn
        کار	p p
        """#)
}
