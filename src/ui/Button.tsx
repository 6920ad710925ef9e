import { Link } from 'wouter';
import { buttonRecipe } from './button.ts';
import { chakra } from './chakra.ts';

/** A plain button; one that sends an event to a machine is an `EventButton`. */
export const Button = chakra('button', buttonRecipe, { defaultProps: { type: 'button' } });

/** An internal link that looks like a button. */
export const ButtonLink = chakra(Link, buttonRecipe, {
  defaultProps: { 'data-event': 'go' },
});
