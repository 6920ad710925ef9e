import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { WalkContext } from './browser-adapter.ts';

/** The value of an event's only primitive property: chosen, typed or pressed. */
const getEventValue = (event: AnyEventObject): string | null => {
  const values = Object.entries(event).flatMap(([name, value]) =>
    name !== 'type' && ['string', 'number'].includes(typeof value) ? [value as string | number] : [],
  );
  return values.length === 1 ? String(values[0]) : null;
};

/**
 * Performs the action that sends an event: presses the element whose `data-event` is its name (of
 * several, the one whose `data-value` is the event's value), selects its value in a list, or fills
 * the only field of a form and submits it.
 */
export const press = async ({ page, flow }: WalkContext, event: AnyEventObject): Promise<void> => {
  const value = getEventValue(event);
  const named = `[data-event="${event.type}"]`;
  await expect(page.locator(named).first(), `an element sends ${event.type}`).toBeAttached();
  const place = (await flow.locator(named).count()) > 0 ? flow : page;
  const valued = place.locator(`${named}[data-value="${value ?? ''}"]`);
  const element = (value !== null && (await valued.count()) > 0 ? valued : place.locator(named)).first();
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
