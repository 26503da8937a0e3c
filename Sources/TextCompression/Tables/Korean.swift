extension LanguageModel {
    static let korean = LanguageModel(
        #"""
        	k p이k요j.j␃j다j어j는j가j하j아j지j고i을i에i그i니i해i사i나i기h있h게h도h은h거h서h한h자h리h보h를h로h시h세g야g만g면g좋g의g수g데g네g들g내g0g일g까g제g마g안g습g말g여g정g라g1g없g할g인g무g?f2f으f생f겠f오f신f대f람f주f구f랑f것f같f전f우f했f음f스f모f예f저f너f알f상f않f었f남f친f래f부f되f죠f려f연e당e문e3e건e각e싶e진e드e5e간e더e장e러e4e때e화e미e잘e봐e바e!e위e많e비e집e중e9e소e7e8e용e운e든e금e난e동e6e와e과e못e걸e았e트d선d힘d애d별d분d워d날d좀d적d관d테d실d합d히d계d심d입d원d공d물d돼d편d락d뭐d르d터d결d행d방d성d직d런d왜d렇d경d치d디d유d두d메d른d버d번d조d먹c받c국c필c차c헤c녀c작c속c짝c살c감c타c후c명c늘c찮c길c크c님c혼c회c식c재c새c괜c단c누c처c개c썸c떻c달c파c될c설c추c복c된c키c줄c영c발c호c질c통c언c프c법c피b왔b죽b던b백b⇧b맞b름b끝b군b럼b찾b슨b확b근b또b함b레b잠b학b년b져b록b표b짜b돌b반b약b엄b룹b업b변b력b준b배b빠b참b능b됐b올b냥b머b린b볼b카b불b갈b잖b매b얼b울b목b답b줘b느b귀b노b택b냐b졌b막b임b현b점b청b잊b절b났b술b최b항b따b싫b몰b교b잡b긴b릴b눈b천b본b루b글b커b티b태b억b씨b얘b떨a형a꾸a움a겨a환a먼a쓰a열a접a체a활a젠a떤a민a넌a께a온a림a십a삭a담a곳a초a색a월a증a럴a됩a족a검a응a겁a돈a갔a포a양a취a완a침a봤a믿a련a둘a떠a읽a망a권a역a순a째a녕a외a앞a험a코a닌a뭔a밀a였a강a출a손a토a셨a쉬a꿈a산a놀a희a싸a송a존a렸a충a빨a격a갑a듯a놈a종a책a료a플a몇a링a죄a텐a허a페a며a걱a짓a밤a견a론a놓a⇪a황a쁜a큰a켜a깐a겼a란a향a큼a혀a뿐a착a톡a쪽a써a봅a널a찍a클a랄a베a쳐a쉽a벌a브a맛a첫a숨a류a악a닥a멋a짐a굴a쁘a엔a급a뒤a평a승a냈a넘a꼭a잔a폰a랍a럽a판a맘a및a밖a축a셔a앱a령a병a특a몸a휴a슬a떡a등a낼a션a깨a맙a꺼a독a밥a씩a립a박a숙a똑a됨a투a궁a듣a뭘a폭aㅠa
         	p그k이k있k사k아k거j좋j수j나i없i내i안i말i보i같i여i않h마h생h것h알h자h너h기h모h시h오h우h제h일h만h정h2h싶h당h1h전h저h잘h대h연h많g더g때g바g남g위g되g힘g주g좀g문g못g중g뭐g건g했g선f왜f난f미f걸f부f친f비f필f편f먹f날f괜f받f계f조f살f진f누f공f메f결f헤f방f돼f관f소f설f될f추f:f집f죽f맞f찾f차f짝f새e후e끝e썸e감e잠e물e또e애e엄e언e영e확e파e재e타e줄e참e행e불e두e얼e변e돌e왔e몰e싫e피e준e얘e배e잊e매e표e최e노e반e발d됐d따d눈d넌d올d삭d카d함d느d항d목d+d열d갈d먼d검d완d믿d뭔d환d읽d쓰d초d곳c응c떠c겁c놀c돈c취c봤c앞c빨c둘c손c걱c떨c갔c쉬c몇c꿈c온c권c<b"b;b갖b(b늦b즐b붙b옷b총b$b빌a웃a삶a덜a챙a딸a채a멤a곧a틀a솔aia딱a끊a풀a높a멈a앉a얻a멀a잃a걔a뜻a흔a첨a쓸a혹a탈a넣a빼a괴a익a극a왕a팔a끄a옆a벗a케a깊a짧a졸a맨a척a낫a범a창a샀a멍a욕a흘a흐a삼a쇼a텍a핸a홈a꽃a냄a봄a콘a뛰a뉴a탭a폴a맡a블a골a쓴a댓a농a팀a맥a팩a헷a
        !	j p␃o
        )	l p␃o
        ,	k p
        -	o)p
        .	j p␃o.k
        /	p1p8n2n4m9m
        0	p0n␃n1l7l8k5k6k2k3k9k4k:i/i
        1	p0p2o1n5n9m7m8m6m4m3m년l:k/k
        2	o0p.l2l4l1l9l5l3l7l6k8k년j:j/j
        3	p0o␃m1l5k4k9k2k8k3k:k/j
        4	p5n0m.m2l7l9l8l6l4k/k3k:k
        5	p␃m0l3k4k2k8k7j6j:i/i
        6	p0m1l6l3l5l2l4l9k:k/j
        7	p0n4l8l5l7l6l2l:l/k9k3k
        8	p0n␃m5l4l2l3l8l9l7k/k:k
        9	p0m.m7m2l5l3l/l8l4k6k:k
        :	n-p(p0p1p3pdo)o⇧o4o
        ?	h p␃o
        e	pempmsl
        i	p⇧onopndn
        n	peosn
        p	plmemhm
        가	n p능i봐i져h장h야h족g슴f끔f
        각	p해o하n이m을l나l했l
        간	p이n을k
        감	p정n사n옥j
        같	m아p은n이n네k애j
        개	p월m인m팅k
        거	p예n야n라k나k기j죠i든i짓h
        건	m p가k강j
        걸	n p까m
        검	o색p증m
        겁	n니p
        것	n p도n이n을l은l
        게	j p요j임h
        겠	l어p지o네n습n다m죠m
        결	p혼p정n국n과m
        경	p우m찰k쓰k험j
        계	p속p정n획l
        고	l p마h백h싶h민h맙f,e
        공	p부n유l
        과	o p
        관	p리n심n계m련k
        괜	j찮p
        구	p가m들k나j랑j
        국	p어m에m민k
        군	p요o가m
        권	p한p
        귀	p찮m엽j
        그	p래n리m렇m런m룹l러l냥l녀l럼l게k럴k만k건k들j것i걸i랬i림h
        근	p데m
        글	p쎄l
        금	o p은l씩k
        기	p p다l가k를k억k분k에k서j도j록i능i본i회h념f
        길	n p
        까	p?p요n지m␃l
        끝	p났m나m내l
        나	p p봐l는l도k요k를k한j서j만j?j와i쁜i중i봅h눠f
        난	l p
        날	n p씨k
        남	p자p이m친l편k
        내	p가p p일l려k용k
        냥	g p
        너	o무p희k
        네	l p요o␃m가l.l트i
        녀	p가n를l석k
        노	p래p력o
        누	n구p가o군n
        느	p낌o껴m끼m덧k
        는	j p데l게j거h건f
        니	n다p까l라i야h
        다	n p.o␃m고l시l른l면k는k!j음j운j
        달	p라n
        당	m신p장j연j
        대	p로m한m해l화l체j학j통i
        더	m p라k욱h
        던	l p
        데	m p이m려i
        도	l p와i움i록h
        돌	o아p
        동	p안m생j물j
        돼	n p요o
        됐	p어o
        되	p었o는o지m어m겠l면l돌k
        된	j p다m
        될	m p까o
        됩	f니p
        드	p네k릴j폰i프i립i
        든	m p
        들	p어n이n은m을l었k
        디	p어m오l렉i
        따	p라p뜻m
        때	p p문o까l
        떨	p까p어p
        떻	h게p
        라	p고n도l요k는k면k
        락	p하n해n이m처l
        람	p이o들n은l을l
        랑	o p하n이m은l해l했j
        래	n p서n요l도l
        러	p니k워k분k면j운j므g
        런	m p데l
        럼	k p
        렇	n게p지m
        레	p스o이n
        려	p고m면l워j줘i
        로	m p운j드j맨e젝e
        르	p겠o는n
        른	l p
        를	g p
        리	p p고n가m는m를k자k스j
        마	p음n세l지k워k셔h찬f
        만	n p나m들l큼k약j났j날i족h,g
        많	n이p은n아m
        말	p이m해l하l을k고k씀j했i
        맞	p아o는n춤m춰l
        매	p일o우m
        머	o리p니o
        먹	p고p어o을o었n으n
        먼	m저p
        메	o시p일m뉴k
        면	k p서j,f
        모	o든p르p두o음m님m습l듈j
        목	p록n
        몰	m라p랐m
        못	p하m했l해k
        무	o p슨n것k엇j섭h뎌h덤g
        문	p서p제o에n득i
        물	p어m론k
        뭐	p라n야n가n하n
        미	p안m지m련k있k디k리k쳤h
        밀	p번p
        바	p로m랄m라m랍l람l꾸j쁘j꿀i꿔i뀌i
        받	p아o았m고m
        발	p견l생l
        방	p법o금l학k식k
        백	p과o
        버	p지n리m려l렸l튼j
        번	p호n째k
        법	p이m을m률l
        변	p경o화m
        보	p세p고m는l다l내l기l여k면k호j통i냈i낼i낸h
        볼	p까p
        봐	o요p
        부	p터m모k담j분j탁i족i
        분	p이m히k명k
        불	p러m
        비	p밀l활j슷i싼g
        빨	m리p
        사	p람p랑o용m진j귀j실j합i항h귄f귈f
        삭	h제p
        살	p아m고m펴k
        상	p황k에k대k처k태j관j
        새	p로o끼k벽j
        생	n각p겼k님k활j성j
        서	m p로i
        선	p택p물o생n
        설	o정p명o치m레l
        성	p화m공k격k
        세	k요p상j
        소	p리m개k식j
        수	n p도l술i록h
        스	p트l러k티k로j럽j스j타j크i팸i킨h템h
        슨	j p
        습	j니p
        시	p간n지l작l겠k오j험h켜h
        신	p이n의m을m은l경k뢰h
        실	p수k패k험j례i
        싫	o어p
        심	p해l히k
        십	o시p
        싶	o어p다o은n
        썸	p남m
        아	p요m니m하m무k직j주i닌i빠i서i보i버i들i냐h침h파h프h뇨h닐g픈f닙f픔f
        안	o p돼l녕l해l되k전j
        않	p아o았o을n는n습n은n으m
        알	p아o았o고m겠m림m려l렉j
        았	o어p는m다m습m으l
        앞	o에p으o
        야	l p지k기k겠j할i?h
        약	p속m
        얘	n기p
        어	o p요o␃l떻l.l서k디k진k떤j보j야j졌i때i떨h떡h머h느h져h쩌h짐g렵f딨f쩔f쨌e젯e
        언	o제p어o젠n
        얼	n마p굴o른n
        엄	k마p청n
        업	p데n
        없	p어p는n습n다m었l네k으k
        었	o어p습o다n나m는m을m으l던k
        에	k p서n요l게l
        여	p자o기o행l러l친l긴i
        연	o락p애n결l히j
        영	p화o상m원l향l
        예	m요p쁘i뻐i쁜i
        오	p늘n래k는k류i빠i랜i염h랫g
        와	o p서k줘j
        완	k전p벽m료m
        왔	p어o
        왜	k p냐k
        요	k p.o␃l!k?i한h청g즘g
        용	p자n하m할k
        우	o리p린m릴i
        운	m p로m동l명k
        움	p이p직n
        워	p요m크k드k
        위	p해p키p한m로m험l치l
        유	p효j형i
        으	m로p면o니l세j며j
        은	i p데j
        을	i p까j거h텐e
        음	p이n을l에l집l식k성j악i
        의	l p미h
        이	n p야j별j제j에i트i상i라i름h미h런h네h렇h랑h죠h건g유g터g었g젠g콘d
        인	p데l가k지j생j연i간i턴f
        일	p p이n을l은k째i
        입	o니p력m
        있	n어p는o을n습n다m었m으m지l나l겠k죠j잖j
        잊	p어n혀m
        자	p친m신k가k기k꾸j고j를j네j애j들j동i유h넨f
        잖	h아p
        잘	n p못m하l
        잠	p깐o시n
        재	p미n밌l회l
        저	p는m장l도l기k희j녁i
        적	p인n으n이m극j
        전	p에l화l히k부j송i혀i체h쟁h
        절	p대n
        접	p근n
        정	p말n리l을k보k도k신j확i
        제	p p가n거k발k일k
        졌	p어p습n
        조	p금n심l
        존	p재o
        좀	j p
        좋	l아p은n겠m을l죠i았i
        죠	j p.o␃l!j
        주	p세m는k소i변i
        준	o비p
        중	p요n에m인k국j
        지	n p만l금k는j를i고i?i도i막h켜f옥d
        직	p접m도l장k
        진	p짜n지m정k심k
        집	p에n을l착j
        짜	m p증l
        짝	l남p사o녀o
        차	p단m례i
        찮	n아p을m은m
        찾	p아p았m
        처	p럼o음n
        천	p히m천m
        초	p대p
        최	p고o근n선m
        추	o가p천o억m
        충	o분p
        친	n구p
        카	p톡o메m페l
        커	p피o뮤n플l
        키	p백o
        터	o p넷j
        테	n p
        통	p화n해m령l
        트	p레k를k워j
        파	p일p티k
        편	p집p
        표	p시p현o
        피	p드l곤k숍i
        필	l요p터k
        하	o는p지o고o면m세m게l나l기l겠k려k네j시j죠j여j루j십i셨h
        학	p교n
        한	m p테m다l국k번i달i
        할	m p까l
        함	p께o
        합	k니p
        항	o상p목n
        해	o p요n보n야m서m도l주l?k봐j줘j볼j줄i줬g
        했	p어p습o는n다n던m으l잖k
        행	p복n동l
        헤	k어p
        현	p재n실n
        혼	p자o
        화	p를m가k장k면j
        확	o인p실o신m
        환	p자o경n승n
        활	p성p
        후	p회n에n폭l련k
        히	k p
        힘	n들p든n드m
        ␃	p이k그j사i나h좋h오h여h내h마h짝g썸g남g저g헤g연g모g잘f새f$f결f
         가	p능l지l져l장l고k는k족k서k자k면j득g
         거	p예o n
         고	p마o백o민o맙m통l향k
         그	p l거g
         기	p다n억m분m여k대k
         나	p한j가j오i왔h타h온g
         다	p시o른o음m운l가k들j르j행i녀i
         도	p움o와o서m전m착l망l
         들	o어p
         로	p그o
         만	p나p들o드k든k남k난k
         무	p슨p서l시l
         사	p람p이j라i건h
         세	p상p계l
         시	o간p작o도k
         아	p니o무l직l이k닌k빠k마i름h
         어	p떻o디n떤m때l떨k떡k려k제j찌g딘g
         요	p청p즘o약l
         원	p하p래n
         이	p제m별m상l름l런k미k렇k건k유j해j게j거j것i봐i용i동i메i걸i번h러h
         일	p이n어l본i찍i
         지	p금o나l난k우k내k원j났j쳤h
        . 	p이j2j1i:h썸g3g0g9f5f4f7f
        ..	p.p
        같아	k요p o␃m.m
        거 	p같p
        것 	l같p
        게 	p좋k하j해j되i
        겠어	p요p
        고 	p싶n있l생j해j
        그리	l고p
        기 	p위k때k전k싫j
        기다	m리p려p릴l렸l
        길 	m바p
        내가	b p
        너무	i p
        는 	p사l것l거k게j건j여j남i중i방i걸i애h
        니까	p p
        니다	k.p p␃m
        다시	j p
        데이	l트p터o
        도 	p있l좋j될j돼i몰i
        메시	b지p
        면 	p좋l어j
        무 	p많l힘l
        사랑	p을k한j에j의j
        새로	m운p
        세요	o.p␃m
        수 	k있p없n
        습니	j다p
        썸 	o타p
        아니	p o라o야n에n면m었l
        아하	m는p
        야 	p하m할m합l한l
        에 	p대k가i따h
        을 	p거k수j하i때h해h
        이 	p있k없j안i너h많h되h필h
        이에	l요p
        이제	l p
        있어	p요p?j
        잖아	n p
        정말	l p
        좋아	o하p해k할j
        중요	l한p하o해n
        지 	p않o마l말k못k
        지만	j p
        필요	p해o하o한o합n
        하지	p만n마i
        할 	o수p거m때l
        해보	l세p
        헤어	m진p지o졌n짐m
         이야	h기p
        겠습니	o까p
        """#)
}
