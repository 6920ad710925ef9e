import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { BrandProvider } from '../../../src/brand/BrandProvider.tsx';
import { FailureFoot } from '../../../src/ui/Message.tsx';
import { UiProvider } from '../../../src/ui/UiProvider.tsx';
import { SaveRecord } from '../../../src/views/SaveRecord.tsx';
import { store } from './flow.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });
afterEach(cleanup);

/**
 * Renders a screen with all the contexts that the shop provides, at an address that the test
 * chooses.
 */
export const renderInShop = (screen: ReactElement, path = '/', shop = store): HTMLElement => {
  const { hook, searchHook } = memoryLocation({ path });
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <UiProvider>
        <BrandProvider store={shop}>
          <FailureFoot value={<SaveRecord />}>
            <Router hook={hook} searchHook={searchHook}>
              {screen}
            </Router>
          </FailureFoot>
        </BrandProvider>
      </UiProvider>
    </I18nProvider>,
  );
  return container;
};

/** The state in the attributes of a flow's root element. */
export const readState = (container: HTMLElement, flow: string): unknown =>
  JSON.parse(container.querySelector(`[data-flow="${flow}"]`)?.getAttribute('data-state') ?? 'null');

/** The first element that sends `event`, with `value` where several do. */
export const findPressable = (container: HTMLElement, event: string, value?: string): HTMLElement => {
  const element = container.querySelector<HTMLElement>(
    `[data-event="${event}"]${value === undefined ? '' : `[data-value="${value}"]`}`,
  );
  if (!element) throw new Error(`No element sends ${event}${value === undefined ? '' : ` with ${value}`}.`);
  return element;
};

/**
 * Whether pressing has no effect: the button is disabled, or keeps the focus while a request is
 * pending.
 */
export const isDenied = (button: Element): boolean =>
  button.hasAttribute('disabled') || button.getAttribute('aria-disabled') === 'true';
