extension LanguageModel {
    static let arabic = LanguageModel(
        #"""
        	k pاoلnَnنmيmمmوlتlرlهlأlبlكlعlِkْkدkفkُkسkقkحjةjذjّjجj␃iإiىi.iشiخiصiطhًhضhثh،hزgغgءgئg؟fظfآf0f⇧a⇪a
         	nاpأoمoلnوnيmبmفmتmعmهmكmإlسl،kقkحkجkشj؟jآiغh2h1h:f3e"e5eـe4e9e+e7d
        .	n p␃o.l1i
        0	p␃n0n3l7l1l9l8k5k4k6k2k
        1	p0o2n1n5n9m7m8m6m3m4l
        2	p0p2m3l1l4l9l8l6l7k
        ،	c p
        ؟	f p␃o
        ء	n pِlٍi
        آ	pنnخn
        أ	pنoَnيlعkرkخkحkسk
        إ	oنpلpِpذm
        ا	pلp pنlًkءjئi
        ب	pِlيkعjدiحhٌe
        ة	k p.kًi␃iٌiٍh!f
        ت	p nَmعkوkرkحkقkُkِkطiىiظh
        ج	pدlلlبkوkزh
        ح	pدlيlسkبkتkقkْj
        خ	pرlصjطjذj
        د	p oيmةkوkُkِkثjٌgٍf
        ذ	oاpهnلnيmِl
        ر	pيmَlةkِkبkفjجjُjْjحiضhٌgٍfؤe
        س	pتlيlنkبjْj
        ش	pيmرmكlخk
        ع	pلnَmنlدkرkْkةj
        ـ	pـo
        ف	pيnَmِlعkقjضj
        ق	pدmَmوkتkُjطjةjِj
        ك	p oنmَmُlرkوkثj
        ل	pَlمlيkكkْkىjِjقjسiحiذhطgآgغgٌcـc
        م	p oاnنnَmْlِlُkٌfٍfؤf
        ن	o pاnَnْlتlيlهlزhظhٌeٍe
        ه	p oُmذmمlِlوk
        و	pَnنnاnلmمlْkقkجj
        ى	i p
        ي	p oنmدkرkةjسjْjقjءhؤd
        ً	k pاo.k
        ٌ	j p␃k
        ٍ	j p␃k
        َ	pاnّlنkقiةiىi
        ُ	p pوoمnّlؤi
        ِ	p oيoنnّlهk
        ّ	p oاnهnذkةk
        ْ	p oمmتlنlرlهkعkحj
        ␃	pوnأmهlإkفk.k
         أ	pنoمjوjكiجi
         ا	lلpسg
         ذ	oلp
         ع	oلpَoنo
         ف	pيpَn
         ك	pاnلnيlذk
         ل	pاnيlكlقkدkهj
         م	pنpاoِmعlرkسjثi
         ن	pعmحlفl
         ه	nذpلnنnوnيmؤh
         و	pَoأk
         ي	pَnمlُlعlوlجkكkحk
        أم	pرo
        أن	n pاnتnكkّj
        أَ	pنnمl
        إل	oىp
        إن	pهo
        إِ	mنpلnذm
        ا 	pيkتkنh
        ال	pْmمmلlأlسkحkتkرkذkعkجjشjصjطjآiخiإi
        اً	k p␃i
        بع	pدpضo
        تا	pبnجn
        حد	pثn
        حس	mنp
        ذا	l p
        ذل	hكp
        ذه	m pبo
        ري	pدnقl
        سا	pعn
        شي	oءpئn
        طي	oعp
        عر	oفp
        عل	pىpيo
        عم	pلo
        عن	pدn
        عَ	pلn
        فع	mلp
        في	m p
        قد	n p
        كا	nنp
        كل	p p
        كن	pتnنlكl
        كو	mنp
        كي	pفo
        لا	o p
        لد	pيp
        لذ	nيp
        لق	pدo
        لك	o pنn
        لل	pَoهo
        لي	pسnلmهlكlوl
        لَ	pّoىmمlيlهl
        لْ	pمnعmأmحlقl
        ما	o pذm
        مك	nنpاn
        من	m pزj
        مِ	oنp
        مْ	l p
        نا	n pكkسj
        نت	o p
        نه	n pاo
        ني	n p
        نَ	p pّo␃m
        نْ	o p
        ها	n p
        هذ	fاpهn
        هل	l p
        هم	m p
        هن	kاp
        هو	m p
        هُ	m pمo
        هِ	m pمm
        وا	p pحl
        وم	p p
        ون	n pَo␃k
        وَ	pلlأkمkإj
        يا	p pرmتm
        ير	p o
        يس	p p
        يم	pكn
        ين	o pَn␃k
        يو	pمp
        ًا	i p␃l
        َأ	kَpْm
        َا	pنkءjبjتjهiدi
        َب	kِpَoْoُn
        َة	pِpُoٌoَn
        َت	nَpْn
        َد	pْpَo
        َذ	nَp
        َر	nَpْoُn
        َع	mْpَoُm
        َق	oَpْn
        َك	nَpُpْn
        َل	iَpِmْmُk
        َم	iَpْoِnُm
        َن	lْpَoِl
        َه	kُpَnْm
        َو	nْp
        َي	lْpَm
        ُم	nْp
        ُو	pنpاo
        ِل	oَpْn
        ِن	lْpَoِl
        ِه	mِp
        ِي	pنnَmمlهk
        ّه	mُpِoَn
        ْت	nَpُn
        ْر	oَpِp
        ْل	lَpِoُn
        ْم	lَpُoِn
        ْن	jَpِmُm
        ␃و	oَp
         ال	pْlمlسkنjقjبiفhدh
        لَّ	pهpذn
        مَا	n p
        َال	pَpِnُm
        ُون	lَp
        ِين	lَp
        """#)
}
