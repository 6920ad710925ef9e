import { latePort } from '../ports.ts';
import { bootMachine } from './boot.ts';
import { categoriesMachine } from './categories.ts';
import type { frameMachine } from './frame.ts';
import { languageMachine } from './language.ts';
import { locationMachine } from './location.ts';
import { screenMachine } from './screen.ts';
import { sessionMachine } from './session.ts';

/** What the app is made of; the frame is fetched when the first screen stands. */
export const appActors = {
  boot: bootMachine,
  location: locationMachine,
  session: sessionMachine,
  language: languageMachine,
  categories: categoriesMachine,
  screen: screenMachine,
  frame: latePort<typeof frameMachine>(),
};
