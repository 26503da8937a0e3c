extension LanguageModel {
    static let burmese = LanguageModel(
        #"""
        	n်pးnာn nုnကnမnပmိmငmတmသmေmနmအmြmှlျlရlစl့lညlခlလlွl␃kါkဖkံkီkဆj။jထjယjဲjူjဝhဒhဘh0hsg.g⇧g1g2geg⇪f
         	oအpမoပoသoကnစnဖnရnတnလmထlဆl(kဝk⇧j⇪jဒjဤj-hဗh"hphchihug၎g%gag
        .	p.o␃m1l
        0	p␃n0m7k9k3k5k8k6j4j
        1	p0o2n1n5m9m7m8m4m3l6l
        2	p0o4l9l3l8k6k5k7k
        4	p5l
        :	p-m(m3m4m)mdl
        a	ptldlckpk
        c	psmrmamom
        e	prmtlnldkckmklk
        i	ppnnmdlcl
        l	p pom
        o	pnnrmcl
        p	psmhmaltlnl
        r	plnenilalol
        s	p psolnimcl)lylpl
        က	n်pိnြmျjွjဏg္g
        ခ	mျpြnုmွlံlဲk
        င	g်p့m
        စ	oာp်pကmစkီkဉk္h
        ဆ	pေpိpငoကoွm
        ည	k်p့m
        တ	o်pွnိlညlငlစlဲkယj္h
        ထ	oာpညmဲk
        ဒ	oီp်oေn
        န	m်pှnေmိl္f
        ပ	oြpါp်oိmေl
        ဖ	nြpိoွnျmေlယk
        ဘ	pူoာoေnယm
        မ	pျpှpညmရlူjဟj
        ယ	n်pာmူlခk
        ရ	oှpနpာnေnွmငmိm
        လ	pိoုoကnဲlျlညk
        ဝ	oငpှoီnဘm
        သ	oညpေoိnငnုnူmွm
        ဟ	oုp
        အ	pသoမoကoခnတnာnလnပnရmစmဆl
        ါ	p။n␃mသmငlဝi!g
        ာ	nးpငmမm mကmရjဗg၏eဇe
        ိ	mုpတkပk
        ီ	pးpကmယkဒk
        ု	p pံnငnပm့mကmတlဒj၍h
        ူ	pးoမmအl
        ေ	nာpးnါk့k
        ဲ	p့pမm
        ံ	pးpခlရk
        ့	n်p mပkသk)fဂf
        း	pပp pသoမoကoအnလnခnရnဖnစm␃mဆm။mထmဝkဇj၏j၊i)h
        ္	pဍoတoခnဂl
        ်	oးp oမoပoရnသnနmတmခmအm။mဆmစl␃lထlလl၏iဗh၊gဂg)g၍f…f!f:f
        ျ	nာpကpိmယjဉg
        ြ	pငpုpေoီoစnညnနnတm
        ွ	nငpေoကnဲnနmယlှl
        ှ	pာpုpိoတoငn
        ။	p␃o nဤi:h
        ၏	n p
        ␃	pအnစlသlပkရkလkဤj"h
         ပ	oြpိnုl
         သ	pငpိpတn
        ကိ	eုpရi
        က်	pနnမm mအlကk
        ကျ	pေoွn
        ကြ	nညpေpာnိnံl
        ချ	nကpိnယl
        ခြ	nငpာn
        င့	a်p
        င်	pးoကi၏iဘg္f
        စက	mာp
        စာ	oမpရmတk
        စ်	pခmသlကj
        ည့	a်p
        ည်	p။n m␃lဖi.h
        တစ	h်p
        တမ	h်p
        တ်	pမmတlခkကk
        တွ	nငpကo
        ထည	h့p
        ထာ	cးp
        နေ	pသnရmပl
        န်	p m␃lတlကjဖi
        နှ	mာpငn
        ပိ	pတo
        ပု	lံp
        ပေ	jးpါo
        ပ်	pစmဆlဗj
        ပြ	pုpီoနnခkဿh
        ဖြ	nစpတo
        မ်	jးp
        မျ	nာpှj
        မှ	nုpတo nနk
        ရန	j်p
        ရိ	pယo
        ရှ	pိp
        လက	f်p
        လု	lပpံp
        သိ	pမm
        သု	fံp
        သေ	lာpခj
        သွ	pာo
        အက	pြpေoျn
        အတ	oွp
        အမ	pညp
        အသ	nုpစnံk
        အာ	jးp
        ါသ	lညpလm
        ာမ	mျp
        ာရ	oငp
        ာသ	pာo
        ား	pသmကlတjဝiနi?f
        ိတ	k်p
        ိမ	n်p
        ို	o pငo့nးmအkယi
        ီး	pမmယkဒj
        ုပ	n်p
        ုသ	pူp
        ုံ	oးpစk
        ု့	p pမn
        ေါ	kငp်o
        ော	lငpကn n်l့l
        ေး	pခmဇkနk
        ဲ့	o pသn
        ံး	pပo
        ့်	p nရlကk
        းက	mိp
        းပ	nြpါp
        းဖ	mြp
        ်က	oိpြo
        ်တ	pမmီlာkေk
        ်န	nှpိm
        ်ပ	pါpငkုkံj
        ်မ	oှpျpြk
        ်သ	pညpွn
        ်း	pမlဖlလkအkတjနi
        ျက	c်p
        ျာ	iးp
        ျိ	pတpနo
        ြစ	f်p
        ြည	j့p
        ြု	pသoခm၍lထlလl
        ွက	a်p
        ှင	o့p
        ှတ	g်p
        ှာ	p mဖlအkတj
        ှိ	pပp nသnနnထl
        ှု	pမnအl
        ကား	pဝp
        ကို	l p
        စ်ခ	lုp
        ည်း	pဖp
        တစ်	mခpဦj
        တည်	nးp
        ထား	pသp
        နို	fငp
        ဖို	mငp
        ရန်	p o␃n။m
        လို	pကpအo
        သည်	p။p o
        သို	j့p
        သော	n pအj
        အား	o pလo
        ာင်	oးp
        ာမျ	nကp
        ောက	k်p
        ်းလ	pဲp
        ျက်	pနo
        ျား	pကo nအm␃m
        ြော	jငp
        ွက်	p p
        ွင်	p p
        """#)
}
