/** What no check looks at, or not closely, though the document promises it: for the page, in its own words. */
export const blindSpots: readonly string[] = [
  'A deployment that sends no push at all looks like one that does not reach the receiver: nothing about pushes is verified then, and nothing fails.',
  'KEY-2 and KEY-4 are looked at in the tier `full` alone, for they fill the places for keys.',
  'LIMIT-1, LIMIT-5 and LIMIT-7 tell nine from ten only with `--max-wait 81s` or a control URL, where somebody else may have used some.',
  'One broken promise may hide another: where every subscription is refused, or nothing is signed, what is said of pushes or signatures is not verified. Of 300 random pairs of faults, 8 hid one of the two.',
  'A promise about an operation that the profile does not describe is not looked at: the document shows four operations.',
];
