import type { InputEvent, KeyboardEvent } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { isLongEnough, type searchBoxMachine } from '../../../machines/app/search-box.ts';

type SearchBoxMachine = typeof searchBoxMachine;

/**
 * The attributes of a search field with a list of suggestions of this id (ARIA: editable combobox
 * with list autocomplete).
 */
export const searchProps = (searchBox: ActorRefFrom<SearchBoxMachine>, snapshot: SnapshotFrom<SearchBoxMachine>, id: string) => {
  const offer = snapshot.matches('offering') ? snapshot.context : null;
  const activeIndex = offer?.active ?? null;
  const suggestFor = (text: string): void =>
    searchBox.send({ type: 'search.typed', isEnough: isLongEnough(text), pii: { typed: text } });
  return {
    'aria-autocomplete': 'list',
    'aria-expanded': offer !== null,
    'aria-controls': offer ? id : undefined,
    'aria-activedescendant': activeIndex === null ? undefined : `${id}-${activeIndex}`,
    onInput: ({ currentTarget }: InputEvent<HTMLInputElement>) => suggestFor(currentTarget.value),
    onBlur: () => searchBox.send({ type: 'search.closed' }),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const activeSuggestion = activeIndex === null ? undefined : offer?.suggestions[activeIndex];
      // The first Escape closes the list; by default a search field would be cleared by it.
      if (event.key === 'Escape' && offer) event.preventDefault();
      if (event.key === 'Escape' || (event.key === 'Enter' && !activeSuggestion))
        return searchBox.send({ type: 'search.closed' });
      if (!offer && event.key === 'ArrowDown') return suggestFor(event.currentTarget.value);
      if (!offer || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
      event.preventDefault();
      if (event.key !== 'Enter') searchBox.send({ type: 'suggestion.moved', by: event.key === 'ArrowDown' ? 1 : -1 });
      else if (activeSuggestion) searchBox.send({ type: 'suggestion.chosen', path: activeSuggestion.path });
    },
  } as const;
};
