/** English words by which a sentence denies or restricts. */
export const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|except|excluded?|excluding|unsupported|unless|only)\b|n['’]t\b/i
