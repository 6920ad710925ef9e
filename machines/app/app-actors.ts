import { lazyPort } from '../ports.ts';
import { bootMachine } from './boot.ts';
import { categoriesMachine } from './categories.ts';
import type { frameMachine } from './frame.ts';
import { languageMachine } from './language.ts';
import { locationMachine } from './location.ts';
import { screenMachine } from './screen.ts';
import { sessionMachine } from './session.ts';

/** The app's child machines. The frame's code is fetched once the first screen is shown. */
export const appActors = {
  boot: bootMachine,
  location: locationMachine,
  session: sessionMachine,
  language: languageMachine,
  categories: categoriesMachine,
  screen: screenMachine,
  frame: lazyPort<typeof frameMachine>(),
};
