import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { WalkContext } from './browser-adapter.ts';

/**
 * Returns the chosen, typed or pressed value: that of the event's only primitive property, or null
 * if there is not exactly one.
 */
const getEventValue = (event: AnyEventObject): string | null => {
  const values = Object.entries(event).flatMap(([name, value]) =>
    name !== 'type' && ['string', 'number'].includes(typeof value) ? [value as string | number] : [],
  );
  return values.length === 1 ? String(values[0]) : null;
};

/**
 * Causes an event by the element whose `data-event` is the event's type (of several, the one whose
 * `data-value` is the event's value): clicks it, selects the value if it is a list, or fills the
 * first visible field and submits if it is a form.
 */
export const press = async ({ page, flow }: WalkContext, event: AnyEventObject): Promise<void> => {
  const value = getEventValue(event);
  const selector = `[data-event="${event.type}"]`;
  await expect(page.locator(selector).first(), `an element sends ${event.type}`).toBeAttached();
  const container = (await flow.locator(selector).count()) > 0 ? flow : page;
  const withValue = container.locator(`${selector}[data-value="${value ?? ''}"]`);
  const element = (value !== null && (await withValue.count()) > 0 ? withValue : container.locator(selector)).first();
  switch (await element.evaluate(({ tagName }) => tagName)) {
    case 'SELECT':
      await element.selectOption(value);
      break;
    case 'FORM': {
      const field = element.locator('input:visible').first();
      await field.fill(value ?? '');
      await field.press('Enter');
      break;
    }
    default:
      await element.click();
  }
};
