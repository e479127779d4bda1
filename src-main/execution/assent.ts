/**
 * Recognises a message that is nothing but assent. By code, never by a model: the whole message has to be made of
 * phrases from these lists, with at least one that says yes. A question, a condition or any other word makes it
 * something for the agent to read.
 */
export function isAssent(typed: string): boolean {
  const text = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .trim()
  if (text.length === 0 || text.length > 120) return false
  const words = wordsOf(text)
  return words !== null && isMadeOfAssent(words)
}

/** The words of a message; null when it holds anything but words, commas, full stops, `!` and a thumb. */
function wordsOf(text: string): string[] | null {
  const plain = text.replace(/👍[🏻-🏿]?|✅/gu, ' yes ')
  if (!/^[\p{L}' ,.!;:\n-]+$/u.test(plain)) return null
  return plain.split(/[ ,.!;:\n-]+/u).filter((word) => word !== '')
}

/** Walks through the words phrase by phrase, always trying the longest phrase first, with a way back. */
function isMadeOfAssent(words: readonly string[]): boolean {
  const from = (at: number, saidYes: boolean): boolean => {
    if (at === words.length) return saidYes
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length).join(' ')
      if (yes.has(phrase) && from(at + length, true)) return true
      if (polite.has(phrase) && from(at + length, saidYes)) return true
    }
    return false
  }
  return from(0, false)
}

const phrases = (text: string): string[] =>
  text
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')

/** "run it", "do the plan", "start all of it": a verb and what it is about. */
const verbWithObject = [
  'run',
  'do',
  'execute',
  'start',
  'approve',
  'confirm',
  'launch',
  'apply',
  'deploy'
].flatMap((verb) =>
  [
    'it',
    'this',
    'that',
    'them',
    'all',
    'all of it',
    'all of them',
    'it all',
    'them all',
    'everything',
    'the plan',
    'this plan',
    'the whole plan',
    'the steps',
    'all steps',
    'all the steps'
  ].map((object) => `${verb} ${object}`)
)

const yes = new Set([
  ...verbWithObject,
  ...phrases(`
    y | yes | yep | yeah | yup | yes please | ok | okay | k | sure | sure thing | of course | certainly | absolutely
    definitely | affirmative | agreed | i agree | approved | approve | i approve | confirmed | confirm | i confirm
    go | go ahead | go for it | go on | go ahead with it | go ahead with the plan | go ahead with that
    proceed | proceed with it | proceed with the plan | please proceed | carry on | carry it out | carry out the plan
    do so | do it yourself | run it yourself | run all yourself | do all yourself | do everything yourself
    run everything yourself | make it so | make it happen | ship it | execute | run | let's go | lets go | let's do it
    lets do it | let's do this | lets do this | sounds good | sounds great | sounds good to me | looks good
    looks good to me | looks great | lgtm | that's fine | thats fine | that is fine | fine by me | fine with me
    works for me | that works | good to go | please do | you may | you may proceed | you can proceed
    you can go ahead | you may go ahead | you can start | you can run it | you can run all of it | you have my approval
    permission granted | granted | i'm ok with that | i am ok with that | i'm fine with that | green light | thumbs up
    ja | jo | jawohl | jep | jupp | ja bitte | ja gerne | gerne | klar | na klar | klaro | sicher | natürlich | selbstverständlich
    unbedingt | auf jeden fall | los | los geht's | los gehts | leg los | leg los damit | dann los | ab dafür | nur zu
    mach | mach das | mach es | mach's | machs | mach mal | mach das so | mach es so | mach alles | mach alles selbst
    mach das alles | mach das selbst | mach es selbst | mach du | tu es | tu das | führe es aus | führ es aus
    führe das aus | führ das aus | führe alles aus | führ alles aus | führe den plan aus | führ den plan aus
    führe alles selbst aus | führ alles selbst aus | ausführen | bitte ausführen | starte | starten | starte es
    starte den plan | fortfahren | fahr fort | fahre fort | genehmigt | genehmige ich | freigegeben | freigabe erteilt
    bestätigt | bestätige | bestätige ich | ich bestätige | einverstanden | in ordnung | passt | passt so | passt für mich
    geht klar | alles klar | okidoki | zustimmung | ich stimme zu | stimme zu | stimmt so | du kannst loslegen
    du kannst anfangen | so machen wir's | so machen wir es | machen wir so | das passt | ist ok | ist okay
    das ist ok | das ist okay | das ist gut so | sieht gut aus | klingt gut | hört sich gut an
  `)
])

/** Words that may stand beside a yes and say nothing by themselves. */
const polite = new Set(
  phrases(`
    please | thanks | thank you | thank you very much | thx | now | right now | then | great | perfect | nice | cool | good
    excellent | awesome | alright | all right | right | well | fine | yourself | by yourself | all yourself | all | everything
    all of it | just | great work | good plan | nice plan | i think | with it | with that | with the plan | and
    bitte | bitte schön | danke | danke schön | vielen dank | jetzt | gleich | dann | super | prima | gut | perfekt
    toll | sehr gut | schön | selbst | selber | alles | alles selbst | so | einfach | doch | mal | damit | und | guter plan
  `)
)

const longest = Math.max(...[...yes, ...polite].map((phrase) => phrase.split(' ').length))
