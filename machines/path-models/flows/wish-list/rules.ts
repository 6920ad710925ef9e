import type { wishListMachine } from '../../../browsing/wish-list.ts';
import { getPortInput, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof wishListMachine>();

export const rules: Record<string, MachineRules> = {
  wishList: {
    rules: [
      invariant('a shown wish list has titles', (snapshot) => !snapshot.matches('shown') || snapshot.context.saved.length > 0),
      always('a failed reload keeps the shown list', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.reloadSavedTitles' || snapshot.matches({ shown: 'resting' });
      }),
      always('a change in another tab reloads the list', (moment) => {
        const isReceived = moment.event.type === 'wishes.changed' && moment.fired.length > 0;
        return !isReceived || (getPortInput(moment, 'savedTitles') ?? getPortInput(moment, 'reloadSavedTitles')) !== undefined;
      }),
      always('the list is requested with the current sign-in state', (moment) => {
        const input = getPortInput<{ signedIn: boolean }>(moment, 'savedTitles');
        return input === undefined || input.signedIn === moment.snapshot.context.signedIn;
      }),
    ],
  },
};
