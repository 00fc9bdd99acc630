/**
 * Pattern source for words before a full stop that does not end the sentence, shared by all sentence splitters. Single
 * letters and ordinals are handled by the splitters, which know the context.
 */
export const ABBREVIATIONS =
  String.raw`(?:\p{L}\.\s?)+\p{L}|p\.\s?ex|Rs|Mr|Mrs|Ms|Dr|Prof|St|Nr|No|vs|cf|resp|etc|approx|ca|bzw|usw|evtl|ggf|sog|vgl|bspw|` +
  'incl|inkl|exkl|excl|max|min|Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|fig|Abb|Abs|Art|par|eq|sec|ch|' +
  'vol|ed|al|pp?'
