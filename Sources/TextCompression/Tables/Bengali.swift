extension LanguageModel {
    static let bengali = LanguageModel(
        #"""
        	m pাoরnেn্nনmিmকmযlতlবlপlসlমlলkুkটk়kোkআkদjহjএjইj।jছj␃iগiজiশiচiঅiডiখiথiধhওhষhীhভhংhফhউhণh0f.f,f⇧e⇪d
         	oকpসoআoপoএnবnনnহnতnঅmযmদmমm।mজlচlফlশkউkগkথkভkওj(iঠi2h1hঘh"h⇪g:gsftf$faf3eme
        )	m p␃n
        ,	h p
        .	p.p␃m1k
        0	p0m␃m9k3k5k7k1k
        1	p0n1m2m5l9l7l8k
        2	p0o2k9k1k
        a	pnmtmrlmlll
        ।	d p␃m
        ং	n pকnযnসnশmখm
        অ	oনpবn্nপmথk
        আ	oমpপpরmছm
        ই	o pলmনl-h
        উ	pপnনnইnৎk
        এ	pকpইoটnবnখn
        ও	n pযo
        ক	oরp্nাnেnিmটlোlৃh
        খ	pাpুnনn
        গ	pুn্nেm
        চ	o্pাpিpেoলm
        ছ	nেpিnুl
        জ	pনoাn
        ট	pিpাo
        ঠ	nিpাo
        ড	p়nিm
        ণ	o pীk
        ত	oাp pেp্nিnুnোnৈj
        থ	pাpেo
        দ	pেpিo্nনmুlৃj
        ধ	pাnুl
        ন	n pাo্oিoেnুl।lোl␃k?gঃg
        প	pাp্oনoরnুlূkৃi
        ফ	oাpেoিnলm
        ব	pেoাo্nিmহmলlংlৈiৃg
        ভ	oাpিmুmূi
        ম	pাoিn্mুkূj
        য	o়pাoবkোj
        র	n p্nাnেnিmুlতlণkীjূf
        ল	p pেpিoাoোoগk
        শ	p্nনnিmুm
        ষ	p্oণk
        স	p্oমnাnেmংlূh
        হ	pযoাoবmলlচlৃh
        ়	oেp pাo
        া	oরp pনnইlমlতlযlবlদlলlগjচjওjউiঁiধiঠh
        ি	p pতmকmযlবkলkষjশjংj
        ী	p oকm
        ু	pনoলmমmকlছjধiঁhঝhঃg
        ূ	pরpহo
        ৃ	nতpষnশm
        ে	n pরmছlনlখkইjটj।jশjষh,g
        ো	p pনnমmগmডmধk
        ্	oযpরoতnটmবmপlষlধlথkলkছkডkদjভjঠhঞh
        ␃	pসmএmআmপlবlঅl"i$h
         আ	pসiবiইhগh
         ক	nরpিmোlথiীi
         ত	nাpোoুnৈlথk
         ন	nাpিpযlতk
         প	oাp্oরnডj
         ব	p্pাpিoলnুk
         ম	pুmেlনlধj
         য	lাpেoোmদlখj
         স	pমnংlবkুjঠg
         হ	pযpবnিlতlওj
        অন	oুp
        আপ	lনp
        আম	lাpিpরm
        এই	i p
        এক	nটpজk
        এব	iংp
        ওয	a়p
        কর	oাpুpেoতoবlছl
        কা	pরpউlজlছk
        কি	pছmনm
        কে	n pউi
        কো	nনpথl
        ক্	oষpরoতoসn
        খা	pনp
        গু	lলp
        গ্	mরp
        চি	nতpহm
        চ্	iছpচl
        ছি	pলp
        ছে	l pনm।m␃k!h
        জন	n্p
        টা	o p
        টি	n pফi
        ঠি	kকp
        ডা	pটoউn
        তা	pলlটkকjহj
        তু	pমp o
        তে	j p
        তো	oমp
        ত্	oরp
        থা	pকoযmপl
        থে	oকp
        দন	mাp
        দে	nখpরpওl
        না	p pমnকk।k
        নি	pরmচjজi
        নু	pসmগmষl
        নে	pরnইnকl
        ন্	mযpতoটnধmদlনl
        পন	lাpিp
        পর	pিp
        পা	pতoদnঠlসl
        প্	mরpলk
        ফা	nইp
        বর	n্p
        বহ	lাp
        বা	pচlধjসj
        ব্	mযp
        ভা	pবpলnষl
        মা	pরpনoকnণj
        মি	n pডj
        ম্	oপpভm
        যব	lহp
        যা	pকlবlপkচkটjডi
        যো	kগp
        র 	pসlজkঅk
        রক	nাp্o
        রত	nেpিn
        রা	p pখkপk
        রি	pযnবm
        রু	mনpপlটk
        র্	pতnবnডmকlশlণk
        লি	pকnখkঙj
        শ্	pচn
        ষ্	lটpঠmকm
        সম	m্pযnূmসm
        সা	pথmহj
        সে	pটmবlজk
        স্	pথoটoতoকn
        হব	iেp
        হয	d়p
        হা	oরp
        ়ে	pছp
        া 	pহmযk
        াই	pলoটl
        াক	pেo
        াত	pাp
        াব	oেp
        াম	p pেm
        ায	k়p
        ার	p pীkকkবj
        াস	p oওn
        িক	p pাp
        িত	o p
        িব	pরp
        িয	g়p
        ির	p্pোl
        ুন	n p।n␃nরl
        েক	oেp n
        ের	k p
        োগ	o p
        ্ট	p oেm
        ্ত	pনlরkবjীi
        ্য	nাp oবnেk
        ্র	pিmুlদkহjমjবjোj
         পা	pরoওk
        ওয়	lাp
        কার	pীoণm
        ক্র	nিp
        জন্	hযp
        তুম	dিp
        ন্য	n p
        পনা	mরp
        পনি	f p
        পাদ	mনp
        পার	pেpবo
        প্র	pতnকlযlসkথj
        বর্	kতp
        ব্য	oবpরk
        হার	pকp
        ির্	mবpদoধo
        ্পা	iদp
        """#)
}
