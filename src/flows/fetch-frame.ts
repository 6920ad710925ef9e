import { whenSettled } from '../ports/hearing.ts';
import { speakOthers } from '../ports/language.ts';
import { arrive } from '../ports/late-flows.ts';
import { keepFrameParts } from '../views/shell/frame-parts.ts';

/** Fetches what nobody waits for around the screen, and its words, once the first screen has stood for a moment. */
export const fetchFrame = async (): Promise<void> => {
  await new Promise<void>(whenSettled);
  const [{ frame, parts }] = await Promise.all([import('./frame.ts'), speakOthers()]);
  arrive('frame', frame);
  keepFrameParts(parts);
};
