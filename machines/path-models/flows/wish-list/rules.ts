import type { wishListMachine } from '../../../browsing/wish-list.ts';
import { getPortInput, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof wishListMachine>();

export const rules: Record<string, MachineRules> = {
  wishList: {
    rules: [
      invariant('what is shown has titles', (snapshot) => !snapshot.matches('shown') || snapshot.context.saved.length > 0),
      always('what is shown stays when it cannot be asked for anew', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.savedTitlesAnew' || snapshot.matches({ shown: 'resting' });
      }),
      always('what another tab does is asked about', (moment) => {
        const isHeard = moment.event.type === 'wishes.changed' && moment.fired.length > 0;
        return !isHeard || (getPortInput(moment, 'savedTitles') ?? getPortInput(moment, 'savedTitlesAnew')) !== undefined;
      }),
      always('the list is asked for as whoever is here', (moment) => {
        const asked = getPortInput<{ signedIn: boolean }>(moment, 'savedTitles');
        return asked === undefined || asked.signedIn === moment.snapshot.context.signedIn;
      }),
    ],
  },
};
