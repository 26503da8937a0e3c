extension LanguageModel {
    static let ukrainian = LanguageModel(
        #"""
        	k pоnаnнnиmеmтmвmіmсmрmдlкlлlмlуlпlяkзkбk⇧kьkгjйjчjжj,iхiшiюi.iцi␃iєiїhщh—gыgif-f!f«d»d⇪a
         	pвnнnпn⇧nтnсnзmмmдmбmкlяlчkгkщkцkхj—jэh–hфg«g2g1f:etd0d5d3c4c9c+c7c
        !	j p␃o
        ,	d p
        .	i p␃o.n1h
        0	p␃n0n9l3k7k1k8k2k6k
        1	p0o2o1n5n9m7m8m6m3m4m
        2	p0o4l1l2l3k9k6k
        :	n p␃n0k(j)j
        ?	i p␃n
        а	o pвnлnтnкmсmрmмmдlйlєlзlюkчkжjгjшjхj,jїiфf:e?e
        б	oуpоoаoиoеoіnрnлmыm
        в	pаnіnоnиnсlеlыh:g'f
        г	nоpаmрlуkлk
        д	pоoаnеnиnуmіmжj
        е	o pрnнnмlлkбkйjчjшj,i?fфe
        ж	pеpиnнmуl
        з	pаoнmвlуkдk
        и	o pтmйlмlвlсlлlкlхkчj,jшj.i?f:e
        й	o pсl,jшi
        к	pоpаoиnуmрmіm
        л	mиpаoоoьoеnіnяnюmуl
        м	pоoаoиnеnуnіmыi'f
        н	pаpеpоoиnіnяnуmфf
        о	p pвnгmрmсmдmмmлmбmжkчkзkїkюj?eфe
        п	oоpрpеmіmиl'f
        р	pоpаoиoеoіmуm
        с	pтoяnьmеlлlкlпlуkёf
        т	pоpиpаpьoеnрmуmыk
        у	o pвmтmдmлlмlкlжkєkюj,jхj.i?f
        х	p pоoаn
        ц	nеpіpьnяmюl
        ч	pиoеoаoуmтm
        ш	pеnиmуkьk?g
        щ	mоpеm
        ы	n pлl
        ь	n pкnсm,jшj.j
        э	mтp
        ю	o pтmдm,kчk.j
        я	n pкmзj,j.i:f?f
        є	o pтnмmшm,k
        і	p pдmвmсlйlлlїjшjчj,i?e
        ї	o pнmхmїl
        –	f p
        —	c p
        ␃	p⇧o—l
         а	o pлnбm
         б	pуoоm
         в	pіnиn nсmжi
         д	pоoлkрj
         е	pсnгnщlёk
         з	pаp m
         й	pоo
         к	pоpрmнmлk
         л	pюo
         м	pоoеnіm
         н	nеpаp
         о	pдnсnбnнnтn
         п	oоpрpаkлj
         р	pоpаn
         с	pвmпmеmкmаlоlиkмk
         т	pаoеmыlвkіk
         у	o pкnсm
         х	pоpтn
         ц	oеpиk
         ч	pтnоm
         я	pкo
         і	n pнmзk
        , 	pяlщkаk
        . 	p⇧o—l
        ав	p nдkжj
        ак	p o
        ам	p oиn
        ан	pнnдkцi
        ас	p nнlиl
        ат	pиp
        аї	jнp
        ба	pчnгl
        бе	pзn
        бу	oдpлoвo
        ва	pтmнlжkшj
        ве	pрpлpсm
        ви	pдkнk
        во	pнnрmлmїlюlєk
        вс	oеpяpьoіo
        ві	pдpнmтm
        го	p p
        да	pнl
        ди	pнnтm
        еб	oеpяm
        ен	pнnіmьlтl
        ер	pеoнlтlжkшk
        ет	p o
        за	pпjбj
        зн	nаp
        им	p o
        ит	pиoьoтk
        их	n p
        ич	pнo
        йо	oгp
        ка	p oзmжl
        ки	pйnхl
        кн	nяp
        ко	pлmнmгmмmрm
        кр	oаp
        ла	p pсnдm
        ль	pнoшm
        лю	pдpбn
        ма	pєmюkнk
        ме	pнp
        ми	o p
        мо	pжnсl
        му	n p
        мі	pсnнm
        на	p oшj
        не	o p
        ни	pйnмmхmкmцj
        нн	nяp
        но	p pгmюk,j
        ог	nоpдk
        од	pиnнm
        ол	pоnжj
        ом	pуp o,k
        ос	pтoіlиk
        пе	nрp
        по	pвmдlтkкkчk
        пр	lоpиoаn
        пі	pдo
        ра	pвnзmїlнkцkщj
        ре	pдmчlзkсkкkхj
        ро	pсmзmбmдlшkкk
        ру	pгl
        са	oмpнm
        св	mоpіo
        ст	pаnрlіlвk
        сь	pкp
        ся	n p
        та	pкnнl
        те	pбmпk
        ти	p p
        то	p pрmмmйk
        ть	m pсn
        ув	mаp n
        ук	pрp
        хо	pчpдoтn
        це	n p
        ць	pоp
        ча	pсo
        чи	pтnнn
        чт	iоp
        що	m p
        ьк	pиo
        ьо	oгp
        ьс	kяp
        эт	lоp
        ют	lьp
        як	p pщm
        єт	mьp
        ів	p p,l.k
        ід	p mнlпlкk
        іл	oьp
        ін	p oшlнl
        іс	oтpцk
        — 	p⇧o
         го	pлoрn
         ду	nмpжoшm
         та	mкp n
        буд	oеpьo
        зна	pчoюnєn
        кня	kзpжn
        кра	oїp
        ого	m p,i
        пра	mвp
        """#)
}
