mod items;
