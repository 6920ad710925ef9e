import { bootMachine } from './boot.ts';
import type { frameMachine } from './frame.ts';
import { languageMachine } from './language.ts';
import { locationMachine } from './location.ts';
import { latePort } from '../ports.ts';
import { sessionMachine } from './session.ts';

/** What runs beside every flow; the frame is fetched when the first screen stands. */
export const appActors = {
  boot: bootMachine,
  location: locationMachine,
  session: sessionMachine,
  language: languageMachine,
  frame: latePort<typeof frameMachine>(),
};
