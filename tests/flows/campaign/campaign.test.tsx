import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import type { Campaign, CampaignLine } from '../../../machines/model/catalogue/campaign.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { requestPort } from '../../../machines/ports.ts';
import { CampaignView } from '../../../src/flows/campaign/CampaignView.tsx';
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';
import { campaign as usual } from '../../../machines/path-models/flows/campaign/paths.ts';

type CampaignSetup = {
  campaign?: Campaign | Problem;
  lines?: CampaignLine[];
  linesAfter?: CampaignLine[] | Problem;
  signedIn?: boolean;
  /** Settles when owned titles have been removed from the cart. */
  ownedRemoval?: Promise<void>;
};

const start = ({ campaign = usual, lines = [], linesAfter = [], signedIn = true, ownedRemoval }: CampaignSetup = {}) => {
  const changes: CampaignChange[] = [];
  const putBack: (readonly string[])[] = [];
  const machine = campaignMachine.provide({
    actors: {
      loadCampaign:
        'kind' in campaign
          ? rejectingPort<Campaign, { campaignId: string }>(campaign)
          : answeringPort<Campaign, { campaignId: string }>(campaign),
      readLines: answeringPort<CampaignLine[], { campaignId: string }>(lines),
      changeLines:
        'kind' in linesAfter
          ? rejectingPort<CampaignLine[], CampaignChange>(linesAfter)
          : requestPort<CampaignLine[], CampaignChange>(async ({ input }) => {
              changes.push(input);
              return linesAfter;
            }),
      removeOwned: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(async () => {
        await ownedRemoval;
        return lines.filter(({ unpaid }) => unpaid !== 'owned');
      }),
      putBack: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(async ({ input }) => {
        putBack.push(input.titleIds);
        return lines;
      }),
    },
  });
  const { actor, receivedEvents } = startUnderShop(machine, { ...makeFlowInput({ campaign: 'evening-reads' }), signedIn });
  const container = renderInShop(<CampaignView actor={actor} />);
  return {
    container,
    events: receivedEvents,
    changes,
    putBack,
    waitForState: (value: string) => waitFor(() => expect(readState(container, 'campaign')).toBe(value)),
  };
};

const readProgress = (container: HTMLElement) => container.querySelector('[role="status"][data-progress]')?.textContent;
const createLine = (titleId: string, isReward = false): CampaignLine => ({ titleId, isReward });
const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('a campaign shows its terms, its prices and the customer’s progress', async () => {
  const { container, waitForState } = start({ lines: [createLine('1001')] });
  await waitForState('shown');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Evening reads');
  expect(await screen.findByText('Buy two, choose one.')).toBeDefined();
  expect(readProgress(container)).toBe('1 of 2 titles in your cart.');
  expect(container.textContent).toContain('$7.99 instead of $9.99');
  expect(getButton('Choose The Umbrella Committee').disabled).toBe(true);
  expect(screen.getByRole('link', { name: 'View cart' }).getAttribute('href')).toBe('/purchase');
});

test('an owned title is removed from the cart, and a notice names it', async () => {
  const { promise: ownedRemoval, resolve: finishRemoval } = Promise.withResolvers<void>();
  const { container, waitForState } = start({
    lines: [{ ...createLine('1001'), unpaid: 'owned' }, createLine('1003')],
    ownedRemoval,
  });
  await waitForState('removingOwned');
  const notice = container.querySelector('[role="status"][data-removed-owned]');
  expect(notice?.textContent).toBe('');
  finishRemoval();
  await waitForState('shown');
  expect(readProgress(container)).toBe('1 of 2 titles in your cart.');
  expect(notice?.textContent).toBe('Already in your library, and removed from your cart: The Keeper’s Third Log');
  expect(container.querySelectorAll('[data-event="title.removed"]')).toHaveLength(1);
});

test('a title goes into the cart, and then a reward can be chosen', async () => {
  const { container, changes, waitForState } = start({
    lines: [createLine('1001')],
    linesAfter: [createLine('1001'), createLine('1003')],
  });
  await waitForState('shown');
  await userEvent.click(getButton('Add to cart The Weighing Room'));
  await waitFor(() => expect(readProgress(container)).toBe('Goal reached! 0 of 1 rewards chosen.'));
  expect(changes).toEqual([{ campaignId: 'evening-reads', titleId: '1003', isAdded: true }]);
  expect(getButton('Choose The Umbrella Committee').disabled).toBe(false);
});

test('one title, or the whole campaign, is removed from the cart', async () => {
  const { container, changes, waitForState } = start({
    lines: [createLine('1001'), createLine('1003'), createLine('1010', true)],
    linesAfter: [createLine('1003')],
  });
  await waitForState('shown');
  await userEvent.click(getButton('Remove from cart The Keeper’s Third Log'));
  await waitFor(() => expect(readProgress(container)).toBe('1 of 2 titles in your cart.'));
  await userEvent.click(findPressable(container, 'campaign.removed'));
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes.map(({ titleId, isAdded }) => [titleId, isAdded])).toEqual([
    ['1001', false],
    [null, false],
  ]);
});

test('titles removed with the campaign can be restored by one press', async () => {
  const { container, putBack, waitForState } = start({
    lines: [createLine('1010', true), createLine('1001'), createLine('1003')],
    linesAfter: [],
  });
  await waitForState('shown');
  const statuses = screen.getAllByRole('status');
  await userEvent.click(findPressable(container, 'campaign.removed'));
  expect(statuses).toContain(await screen.findByText('The offer has been removed from your cart.'));
  await userEvent.click(getButton('Undo'));
  await waitFor(() => expect(putBack).toEqual([['1001', '1003', '1010']]));
  await screen.findByRole('link', { name: 'View cart' });
  expect(document.activeElement).toBe(findPressable(container, 'campaign.removed'));
});

test('the button that removes a campaign becomes “Undo”, keeps the focus and is never disabled', async () => {
  const { container, waitForState } = start({ lines: [createLine('1001')], linesAfter: [] });
  await waitForState('shown');
  const wasDisabled: boolean[] = [];
  const button = findPressable(container, 'campaign.removed');
  new MutationObserver(() => wasDisabled.push(button.hasAttribute('disabled'))).observe(button, { attributes: true });
  await userEvent.click(button);
  expect(await screen.findByRole('button', { name: 'Undo' })).toBe(button);
  expect(wasDisabled).not.toContain(true);
  expect(document.activeElement).toBe(button);
});

test('a visitor who adds a title is asked to sign in, with the title to add afterwards', async () => {
  const { events, waitForState } = start({ signedIn: false });
  await waitForState('shown');
  await userEvent.click(getButton('Add to cart The Weighing Room'));
  expect(events).toEqual([{ type: 'signIn.needed', action: 'add:1003' }]);
});

test.each([
  ['campaign_over', 'This offer has ended in the meantime. Nothing has been added to your cart.'],
  ['rewards_taken', 'You’ve chosen all the rewards. Remove one from your cart to choose another.'],
  ['reward_not_reached', 'You can choose rewards once enough titles are in your cart.'],
  ['cart_full', 'Your cart is full.'],
])('the reason why a title was not put into the cart (%s) is shown', async (code, expectedText) => {
  const { waitForState } = start({ linesAfter: { kind: 'refused', code, message: '' } });
  await waitForState('shown');
  await userEvent.click(getButton('Add to cart The Weighing Room'));
  expect((await screen.findByRole('alert')).textContent).toContain(expectedText);
});

test.each<[string, CampaignSetup, string, string]>([
  [
    'over',
    { campaign: { ...usual, state: 'over', endsAt: '2026-11-20T00:00:00Z' } },
    'This offer is over',
    'It ended on 20 November 2026.',
  ],
  [
    'notBegun',
    { campaign: { ...usual, state: 'notBegun', startsAt: '2026-12-01T00:00:00Z' } },
    'This offer hasn’t started yet',
    'It starts on 1 December 2026.',
  ],
  ['notFound', { campaign: { kind: 'refused', code: 'not_found', message: '' } }, 'We couldn’t find that offer', 'removed'],
  ['failed', { campaign: { kind: 'offline' } }, 'We couldn’t load this offer', ''],
])('a campaign in the state “%s” has its own heading and message', async (value, campaignSetup, heading, expectedText) => {
  const { container, waitForState } = start(campaignSetup);
  await waitForState(value);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  expect(container.textContent).toContain(expectedText);
});
