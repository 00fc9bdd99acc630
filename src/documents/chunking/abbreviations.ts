/**
 * What a full stop follows without ending the sentence, for all who cut texts into sentences: a source of a pattern. Single
 * letters and ordinals are told apart by those who use it, since they know what stands around them.
 */
export const ABBREVIATIONS =
  String.raw`(?:\p{L}\.\s?)+\p{L}|p\.\s?ex|Rs|Mr|Mrs|Ms|Dr|Prof|St|Nr|No|vs|cf|resp|etc|approx|ca|bzw|usw|evtl|ggf|sog|vgl|bspw|` +
  'incl|inkl|exkl|excl|max|min|Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|fig|Abb|Abs|Art|par|eq|sec|ch|' +
  'vol|ed|al|pp?'
