window.story = {
 "start": "quay",
 "nodes": {
  "quay": {
   "text": "The last ferry to Corrow Island leaves at ten. At five to ten you are standing on the wet quay with a ticket in your glove, and the gangplank is down, and there is nobody at the top of it. A lamp burns in the wheelhouse. The engine is already running.",
   "choices": [
    {
     "label": "Go aboard",
     "to": "deck"
    },
    {
     "label": "Knock at the ticket office first",
     "to": "office"
    }
   ]
  },
  "deck": {
   "text": "The moment your foot leaves the plank, the ropes slip themselves and the quay slides backwards. You are alone on deck with a bell, a ladder up to the wheelhouse, and a large crate lashed under a tarpaulin. The crate is humming.",
   "choices": [
    {
     "label": "Climb to the wheelhouse",
     "to": "wheelhouse"
    },
    {
     "label": "Look at the crate",
     "to": "crate"
    },
    {
     "label": "Ring the bell",
     "to": "bell"
    }
   ]
  },
  "office": {
   "text": "The shutter is closed, but behind it someone is breathing. “We don't sail on the ninth,” says a woman's voice. “Never on the ninth.” You hold your ticket up to the crack. It says the ninth. There is a silence, and then a brass key slides out under the shutter. “Then you'd better have this.”",
   "choices": [
    {
     "label": "Take the key and go aboard",
     "to": "deckkey"
    },
    {
     "label": "Leave the key and walk home",
     "to": "home"
    }
   ]
  }
 },
 "ending": "The story ends here. Press “Start again” to steer it elsewhere.",
 "sampleEnd": "The sample ends here. The rest of the crossing is in the full story."
};
