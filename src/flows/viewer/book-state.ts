import type { StateValueFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';

type Value = StateValueFrom<typeof bookMachine>;
type Regions = Extract<Extract<Value, object>['reading'], object>;

export type BookScreen = Exclude<Extract<Value, string>, 'reading'> | Extract<Regions['page'], string>;
export type BookPanel = Extract<Regions['panel'], string>;
type Controls = Extract<Regions['controls'], string>;

/** The parts of the book's state that the screen needs: overlay, open panel, visible bars. */
export const toBookState = (value: Value): { screen: BookScreen; panel: BookPanel; controls: Controls; enlarged: boolean } => {
  const regions = typeof value === 'object' && typeof value.reading === 'object' ? value.reading : null;
  const outerScreen = typeof value === 'string' && value !== 'reading' ? value : 'opening';
  return {
    screen: regions?.page ?? outerScreen,
    panel: regions?.panel ?? 'closed',
    controls: regions?.controls ?? 'shown',
    enlarged: regions?.enlarging === 'enlarged',
  };
};
