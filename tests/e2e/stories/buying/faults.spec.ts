import { faultNames, type FaultName } from '../../../faults/faults.ts';
import { flowsInBrowser, takeSeat, tryInBrowser, type Where } from '../../../faults/in-browser/in-browser.ts';
import { expect, test } from '../../support/shop.ts';

/** Milliseconds for which a page waits for an answer, in place of half a minute. */
const PATIENCE = 6000;

type Flow = (typeof flowsInBrowser)[number];

const isSound = async (where: Where, flow: Flow, fault: FaultName): Promise<void> => {
  const seat = await takeSeat({ ...where, patience: PATIENCE });
  const { wrong, ending } = await tryInBrowser(seat, flow, fault);
  await seat.close();
  expect(wrong, JSON.stringify(ending)).toBeNull();
};

test.describe.configure({ timeout: 120_000 });

for (const flow of flowsInBrowser)
  for (const fault of faultNames) {
    const title = `${flow.each.name}, ${fault}: one charge and one copy`;
    // Others would miss the shop that they share.
    if (fault === 'shop killed') test(title, ({ browser, ownShop }) => isSound({ browser, shop: ownShop }, flow, fault));
    else test(title, ({ browser, shop }) => isSound({ browser, shop }, flow, fault));
  }
