const FIRST_PERSON =
  /\b(?:I|I['’]?m|me|my|mine|myself|we|we['’]re|us|our|ich|mich|mir|mein\w*|wir|uns\w*|je|moi|mon|ma|mes|nous|notre|yo|soy|mi|mis|nosotros|io|mio|mia|sono|eu|meu|minha|sou|ik|mijn|wij|ben|jag|min|mitt)\b|\bj['’]/iu
const WISH =
  /\b(?:answers?|answering|repl(?:y|ies)|respon[ds]\w*|tone|casual\w*|formal\w*|informal\w*|friendly|concise|brief\w*|short|detail\w*|verbose|language|call|prefer\w*|always|please|antwort\w*|kurz|ausführlich|bitte|réponds|responde|rispondi)\b/iu
/** "Vinay here.", "This is Vinay." */
const GREETING = /\b[Tt]his is \p{Lu}|\p{Lu}[\p{L}'’-]+ here\b/u

/** Whether a model is asked what the user states in a message; saves a call for most. Messages without Latin letters always count. */
export function mentionsUser(message: string): boolean {
  return [FIRST_PERSON, WISH, GREETING].some((words) => words.test(message)) || !/\p{Script=Latin}/u.test(message)
}
