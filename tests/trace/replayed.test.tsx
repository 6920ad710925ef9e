import { readFileSync } from 'node:fs';
import { i18n } from '@lingui/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { play } from '../../machines/trace/player.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { LibraryView } from '../../src/flows/library/LibraryView.tsx';
import { PurchaseView } from '../../src/flows/purchase/PurchaseView.tsx';
import { ReceiptView } from '../../src/flows/receipt/ReceiptView.tsx';
import type { AppActor } from '../../src/views/app-actor.ts';
import { App } from '../../src/shell/app/App.tsx';
import { registerScreens } from '../../src/shell/app/flow-screens.ts';

afterEach(cleanup);

const trace = traceFromJson(JSON.parse(readFileSync('tests/traces/buy-and-read.json', 'utf8')) as Trace);

test('the screens of a recorded visit are rendered in a replay, forward and back', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  registerScreens('purchase', PurchaseView);
  registerScreens('receipt', ReceiptView);
  registerScreens('library', LibraryView);
  const player = play(shopMachine, trace);
  const renderHeadingAfter = (transition: string, run: number): string | undefined => {
    player.jump(player.positions.findIndex((position) => position.run === run && position.moment.fired.includes(transition)));
    cleanup();
    const { container } = render(<App actor={player.root() as unknown as AppActor} i18n={i18n} saveRecord={() => {}} />);
    return container.querySelector('h1')?.textContent;
  };
  expect(renderHeadingAfter('purchase.quoting xstate.done.actor.offer', 0)).toBe('Your purchase');
  expect(renderHeadingAfter('receipt.loading xstate.done.actor.purchaseInfo', 1)).toBe('Thank you!');
  expect(renderHeadingAfter('library.loading xstate.done.actor.purchases#1', 1)).toBe('My Library');
  expect(renderHeadingAfter('purchase.quoting xstate.done.actor.offer', 0)).toBe('Your purchase');
}, 30_000);
