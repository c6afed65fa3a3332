/** `TOOLS.md`: what is particular to the tools of this place. */
export const toolsTemplate = `# Notes on tools

How a tool is used stands in its description, and how a kind of task is done in a skill. Here stands what is true only of this place: names, addresses, habits. So skills can be shared, and these notes stay here.

What belongs here, for example:

- Cameras: which one sees the door, and which one the garden
- Machines: names and users for SSH, and what runs on them
- Speech: the voice to use, and how fast
- Rooms, devices and what people call them
- Media: where pictures and recordings are put, and in which format they are sent

Never write passwords or keys here; write where they are kept.
`
