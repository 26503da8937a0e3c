extension LanguageModel {
    static let amharic = LanguageModel(
        #"""
        	m pንlትlየkውkመkአkልkምkርkለkስkበkይkእkነjያjተjማjብjችjደjገjናj?iረiከiግiላi␃iድiሰiታiራiህiወiባi።iቀiክiጥiሚiጠhሳhፍhሁh.hቅhጋhሪhዳhፈhዎg:gካgሉgዝgሆg!gኛgጣg0g…gዋgቃg2g1gዘgቸgዲfኝfሮfሞfቱfቻfቢfሩfኢfቶfሽfሲf፡fጫfፋfሻfኑfቁfሎf፣fሊfዚfዛfዮfጽfጉfኖfሱfሙfቡfጀfኔfሀeፊeቤeሌeዊeዜeሃeጨeeeቲeቆe3eጅe)eሬeኮeዴe/e-e5e⇧eጊeጭeጃeጎeቦeሄeዱeኩeጡe⇪c‹a
         	pየnአnእmበmመmነlይkለkከkማkተkያkወjብjሰjግiላi2hሲhሁh1hኢhዘgካgቁgቢg⇧g(gሀgቤgጊgሊfጉfሌfኣfዓeፖeፓe⇪e4eኦeሥeሕeteዶdሜdዕdኤd7dፕd8dሴd9d6dጌdacፀcኃc+cpcዩcቴcscቋcሸcፅcሐcdcbcibcbፎbfbobሠbሂbmb«b;bሶbhbጦbፌbዐb
        !	k p!n␃m
        )	m p␃m
        *	k*p
        -	p)l-lሜk
        .	n.p o␃k1i
        /	pርl1l2k8j9j7i
        0	m p0n␃m1m2l9k8k7k3k5k6j4j%j
        1	p0o2o1n5m9m.l7l6l4l8l3l)k
        2	p0p2l4l1l.l3l5l/l7l8l9k6k
        3	p0m5j6j4j7j9j
        4	p5m0l.l8k7j6j
        5	p0m␃l.k6j7j4i8i
        7	p0l3k9k6j4j
        8	p0m5k8j4j6j
        9	p0m2l7l5k6k8j9j
        :	m p:n)j-j(idi4i
        ?	k?p n␃l❤g♂g♀f
        a	prnnnmmtmsmllcldkpkbk
        c	ptmomalrlhl
        d	pelulikfkok
        e	prltlnkekskdkajwjljmj
        h	paoeooointm
        i	pnoonsntnpmamcmllmlvl
        l	palelllilok
        m	peoamimomll
        n	pamgmemdltlslolikck
        o	pnnomrmumdmpmmlflllsl
        p	prnhmsmemimallldl
        r	pooenamimlmglsluk
        s	pimtmslolekhk
        t	phnemimaloknkrktkvk
        ሀ	pገoይlሳk
        ሁ	pንnሉnፍlለlኑlኔkሌi
        ህ	p pንmዝmሪjፃg
        ሆ	nንpነpኑnናmኖlኗi
        ለ	pውlምlማkመkሁjህiቲhጫhኝhዚhኛgፉfዉe
        ሉ	m pትlንlምl።j
        ላ	pይoልlምkለkችkቸjሉjክjፊhኪg
        ሌ	pላoለmሎm
        ል	p p።lክkተj␃iካiጅi!iጋiቅiጣiፍiፅi:iጉiዩhጽh፡hኩhጆg፤fጁfዕe
        ሎ	o pችoቹkጂj
        ሕ	pዝm
        መ	pንlስlልlረkሪkርkለkግkጠkቀjሆjሰjደjጨjጣjሳiድiጀiዝiፍiካhቆgቼgኪgጻgሸfፅfሠfሥf
        ሙ	pሉmስm
        ሚ	pያnገkፈkቀjሰjኒiጠi
        ማ	pስlንkራkለkሪjይjድjሰjሳjረiኖhዕfሸf
        ሜ	pዳnንnሪm
        ም	o pንmርk።jረjናiክi!h:hሮgፕf፤eዶeፅe
        ሞ	p oክmችmጣk
        ረ	pውkትkግkጃkጡkሻjብjጋjጠjገjሰjዳiጉhዥhጊhቂg
        ሩ	n pትlንl
        ሪ	pያpዎmካlክkቱjፖh
        ራ	p oትlችkሱkልkስkዊjሻjሲiቸiሽiጭh
        ር	p pስkዝjጫjቲiግiሃhጉgጅgዓgጌfሶeዕe
        ሮ	p pችoሞnፌjፕj
        ሰ	pውnላlብlነlንlማkራkናkረkጠkዎjባjኛiዓiቦi
        ሱ	n pንm
        ሲ	pያlቲjሆj
        ሳ	pይmያkልkብjሳjቸiሌh
        ስ	pጥlትkተkለkገjምjራjልjታjዎjፈiቲhሊhፋhኪgቴgፖfጌfኬeሜe
        ሻ	p oሻl
        ሽ	p pንl
        ቀ	pንkጥkየkርjመjረjላjሳiጠiኝiሙhቂg
        ቁ	pጥn
        ቂ	pያn
        ቃ	pልmሚkላkዎjሴh
        ቅ	p oርmምlድlላkረkዱj
        በ	pትlርlመjአjረjላjተjሚiጣiዚhቅhኋhፊhቃhሙgዓgሩgኩgቂfኦeሕe
        ቢ	pያoሆk
        ባ	pለlልlትlህkርkቸjክjቢiዶhዊhኤf
        ቤ	pትpተnቱlዝl
        ብ	p oርlቻlለkልkዙkሎkረkሔkሄiዬiዛiዕgሏg
        ቦ	pታoችo
        ተ	pመkኛkማkሰjጠjከjገjቀjወjፈiግiዋiሳiጨiካhቻhቋgሸfኞe
        ቱ	m pንn
        ቲ	p pካoዎlቪk
        ታ	p oችlወkልkውkቸkዊjሪjዎiዩgቹg
        ት	n pንjዮj።h
        ቶ	nችp oቹj
        ቸ	lውpዋjዉiኳh
        ቹ	m pንm
        ቻ	o pለmልmችm
        ች	m pንnሁl␃jላiግi
        ነ	pውpትnበmገmዉjኝiቱiፃiዱhጻgዶf
        ኑ	n pንm
        ኒ	pስoቨo
        ና	o pልkቸjጃiኘf
        ኔ	n pታm
        ን	o pደkድkምkግjዲiዳiተiዴiኳhጂgዱgቋeኙeሸeቺdጆd
        ኖ	pርnችmረlሩkሮk
        ኛ	m pውmልl
        ኝ	n pነl።k
        አ	pይmንmስlልlለlብkማkሁkገkዲkድjደjካjባjላjሜiቶhሸgቋf
        ኢ	oትpዜl-k
        እ	oንpናnርlስlየlኔkያkግjኮjቃjኛjሱiዚiጅhሺg
        ኦ	pሮp
        ከ	pተkፍjልjታiዚiሆhዛgኞe
        ካ	pምlልlከlሳjባjሄi
        ክ	pፍlልlርlንkፈjራjክjዎiቶiሮiፉh
        ኳ	oንp
        ወ	pደnይmንlሰkጣkረkቅkዳjሓhቂg
        ዊ	m pኪj
        ዋ	pልnጋmቂi
        ው	n pንlስk።k?jነi:h!hጤgጪfጦfሸe፤e
        ዎ	oችpቹj
        ዘ	pመmንmጋmርlዴlብlረl
        ዚ	nህpአmያm
        ዛ	pሬn
        ዜ	o pማmናlጠlጎk
        ዝ	pርnብmገkግjቡj
        የ	pሚmተlመjአjምjማjኢiሰiሆhሌgኦfፖfፌdሕdኤd
        ዩ	p pኒn
        ያ	p pለmስmንlውlልlደk␃kሉjዊjዎjሳjቄiኔiዩhዙgዣg
        ይ	p oህlደlምkመkሆkልkነkችjታjሄjጠjወjፈiዞiቅiኖiቻiጫh
        ዮ	oጵpችl
        ደ	pረlርlለkግjምjብjሚiራiጋhሆhሞh
        ዲ	pስoህnያmሁkሞkሱk
        ዳ	pንlታlይkደj
        ዴ	pትn?lፓj
        ድ	p pርmንmረmራkሮjሞiሜiፎg
        ዶ	pችn/lክl
        ጀ	pመoምmግl
        ገ	pርnባlናlጽkቡkራkድjብjቢjጾjኘjኝiሩiኙiዛhጹhዶg
        ጉ	pዳmትmዞi
        ጊ	nዜpያm
        ጋ	pርmገjዜiጀh
        ጌ	pታo
        ግ	pንmርlስlናlልlለlራkባkድjዚjብjሞjቢjዜiኘhሥhጁg
        ጠ	pንmውlቀlቃlርkቅkረkበkብkኛjፋjፉg
        ጣ	pምlንkሪkጫi
        ጥ	p oርmሩkያkፋjላjፊiፎhሯg
        ጨ	pረoመmማmዋl
        ጫ	o pኑlዎl
        ጵ	hያp
        ጽ	p pሁoሐjሕj
        ፅ	pግnሐj
        ፈ	pልmለkረkጠjጸjጣiፀh
        ፊ	pትoያnደm
        ፋ	pይnትm
        ፍ	p oተlልlጠkቅjሎiጹg
        ፓ	oርp
        ፕ	pሮoሌl
        ፖ	nለpርoሊo
        ፡	m p፡o
        ።	j p␃m
        ፣	l p
        ፤	k p
        …	i p␃o
        ␃	pየnበlአlእlመkከj⇧h»e
         ሁ	oሉpኔnላl
         ህ	pዝpግl
         ለ	pማnመmአjኢh
         ላ	lይp
         ል	pጅnዩmብlጆl
         መ	pቀiመiወhገhፈg
         ማ	pስmሰkጥiጣi
         ም	oንpርnክmስmልmድk
         ሳ	pይpጥm
         ስ	pለnምnራlርlብkህk
         በ	pአjመjሚiማiቀhሰhኢgጎf
         ባ	pለoህn
         ብ	pቻnለmዙlሎl
         ት	pምlልlግlክkርkዕi
         ነ	mውpገlበlህiፍhጋh
         አ	pይlመiምiያhቀgሳgቅgሉgፍgሕd
         እ	pናlውhነhባgድfኩf
         ክ	pፍpልoብm
         ወ	pደoይn
         ዋ	nጋpናm
         ው	oስpይkጭjሃi
         የ	pሚmመjለiወg
         ያ	pለnስmላi
         ይ	pህlመkሄjገjሁiላiሰiኸf
         ደ	pግmሞlህlስlቂi
         ገ	pጽnጾlፅi
         ጋ	nርp
         ግ	pንo
        . 	p.l
        ህዝ	nብp
        ሆነ	o p
        ለሁ	o p።m
        ለበ	mትp
        ላይ	k p
        መለ	pስnያnከmኪk
        መል	pካoከnሳmስm
        መረ	pጠoጃo
        መስ	pመnጠk
        መን	pግpገo
        መግ	oለpቢo
        ማለ	nትp
        ማስ	pገoተnቀmወl
        ምረ	nጡpጥm
        ምር	oጫp
        ምን	pምmጭjጩh
        ሪያ	o p
        ርስ	oዎpቲnቶk
        ሰላ	nምp
        ሰነ	oድpዱoዶm
        ሰን	pጠo
        ስመ	pርpሮm
        ስተ	pዳmካmያlላl
        ስዎ	l p
        ስገ	pቡpቢp
        ስጥ	l p:k
        ቁጥ	lርp
        ባህ	nሪpርn
        ተመ	pረoሳm
        ትም	pህn
        ትን	l pሽk
        ችሁ	o p
        ችን	k pንl
        ነበ	mርpረn
        ነው	k p።m?k!k:k␃j፡h
        ነገ	oርpሮk
        ን 	pእkለjይiምg
        ንም	j p
        ንተ	o p
        ንደ	p oሚmሆmገlዚk
        ንግ	pስpግnዲl
        አሁ	gንpኑn
        አል	pተn
        አመ	pትoራm
        አማ	nራp
        አም	pላnድn
        አስ	pተo
        አብ	pሔoይoሮl
        አን	oድpተoዳmዱmቀl
        አይ	pደnነm
        አድ	nራpርp
        ኢት	jዮp
        እር	pስpሱk
        እስ	pከoክmኪmካm
        እን	oደpዲnዴmዳmኳmጂl
        እው	mነp
        ክል	pልpሉm
        ወን	oድpጀn
        ወይ	oንpምo
        ወደ	m pፊj
        ው 	pየlምh?g
        ውስ	lጥp
        ውን	j p
        ዎች	n p
        ዚህ	k p
        ዝር	pዝp
        የ 	pተlመlቀiጽixg
        የም	pትnታl
        ያለ	pውo
        ያስ	pገoፈn
        ይም	pረo
        ይች	kላpልnሉm
        ይነ	nትp
        ይን	oምp
        ይደ	oለp
        ደለ	nምp
        ደግ	oሞp
        ዲስ	i p
        ድረ	pግpስoጊo
        ጀመ	oሪp
        ገር	m p
        ግለ	mጫpሰn
        ግስ	mትp
        ፈል	oጉpጋpግn
        ፋይ	lልpሉmሎm
        ␃የ	p o
        ስ አ	pበn
        ቢያ 	pቃn
        """#)
}
