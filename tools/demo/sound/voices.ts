import type { Work } from '../source/work.ts';
import type { Voice } from './speech.ts';

const voices: Record<string, Voice> = {
  'Helena Moss': { name: 'en-gb-x-rp+f2', wordsPerMinute: 145, pitch: 44 },
  'Oliver Dance': { name: 'en-gb+m3', wordsPerMinute: 148, pitch: 40 },
  'Tomás Belmonte': { name: 'es+m1', wordsPerMinute: 145, pitch: 42 },
};

/** The synthetic voice of a narrator. */
export function getVoice(work: Work): Voice {
  const narrator = work.narrators?.[0] ?? '';
  return voices[narrator] ?? { name: work.language, wordsPerMinute: 145, pitch: 45 };
}
