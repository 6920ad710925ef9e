import { expect, test } from 'vitest';
import { createActor, toPromise } from 'xstate';
import { bootMachine } from '../../../machines/app/boot.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { rejectingPort } from '../../support/views/flow.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';

test.each([
  [{ kind: 'invalidStore', supportEmail: 'help@shop.test' }, 'help@shop.test'],
  [{ kind: 'invalidStore' }, ''],
] satisfies [Problem, string][])(
  'the result for a missing store has the support e-mail address, if the server sends one',
  async (problem, supportEmail) => {
    const storeProperties = rejectingPort<StoreProperties, undefined>(problem);
    const actor = createActor(bootMachine.provide({ actors: { storeProperties } })).start();
    expect(await toPromise(actor)).toEqual({ store: null, supportEmail });
  },
);
