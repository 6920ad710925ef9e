import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { wishesMachine } from '../../machines/app/wish-list.ts';
import type { TitleSummary } from '../../machines/model/catalogue/title.ts';
import { useHasWishList } from './app-actor.ts';
import { useFrameChild } from './ownership.ts';

export type WishButtonProps = { title: Pick<TitleSummary, 'id' | 'name'> };

type WishesProps = WishButtonProps & { wishes: ActorRefFrom<typeof wishesMachine> };

type LazyButton = ComponentType<WishesProps>;

// oxlint-disable-next-line pure-machines/state-of-module -- code, the same in every environment
let lazyButton: LazyButton | null = null;

/** Registers the button, which is loaded with the frame. */
export const registerWishButton = (button: LazyButton): void => {
  lazyButton = button;
};

const LoadedWishButton = ({ wishes, title }: WishesProps): ReactElement | null => {
  const Button = lazyButton;
  return useHasWishList() && Button ? <Button wishes={wishes} title={title} /> : null;
};

/**
 * The heart that adds a title to the wish list or removes it; null until the frame has loaded,
 * while the card reserves its space.
 */
export const WishButton = ({ title }: WishButtonProps): ReactElement | null => {
  const wishes = useFrameChild('wishes');
  return wishes === undefined ? null : <LoadedWishButton wishes={wishes} title={title} />;
};
